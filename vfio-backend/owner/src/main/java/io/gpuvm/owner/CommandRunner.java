package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import java.util.ArrayList;
import java.util.List;

/// Runs commands, from doorbell to completion. A command is the content of a channel's ring when
/// its turn comes.
///
/// A command uses at most one engine at any time; engines run in parallel. A command is queued for
/// the engine that its channel used last, because the next engine cannot be predicted. If its
/// channel uses several engines, the command starts when all of them are available. A command uses
/// no engine while it waits for a semaphore or while its guest has removed it from the GPU; other
/// commands then run, for instance the command that releases the semaphore. A command has completed
/// when the GPU has read all of it, no engine is busy with the channel, and the channel has no
/// pending work.
///
/// **Held back.** A command is stopped, and queued again for all engines that it uses, if it is
/// observed on an engine that another command holds, or if it resumes after a wait while another
/// command holds its engine. A command thus occupies an engine against the policy only until the
/// owner observes it. The time until then is charged.
///
/// No work is dropped if a queue is full: the channel's command is queued when the queue has room.
///
/// This class shows the observed state of channels and engines to their guests. [CommandLedger]
/// charges the commands. Confined to the owner's thread.
final class CommandRunner {
    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};

    private final PhysicalFifo fifo;
    private final GpuScheduler scheduler;
    private final ChannelPool pool;
    private final long limitNs;
    private final CommandLedger ledger;
    private final StartedCommands started = new StartedCommands();

    /// @param limitNs GPU time after which a command is stopped
    CommandRunner(PhysicalFifo fifo, GpuScheduler scheduler, ChannelPool pool, long limitNs) {
        this.fifo = fifo;
        this.scheduler = scheduler;
        this.pool = pool;
        this.limitNs = limitNs;
        ledger = new CommandLedger(scheduler);
    }

    /// Sets the listener for commands. Called once, before any other method.
    void onCommands(CommandTap listener) {
        ledger.onCommands(listener);
    }

    /// Returns the ledger, for events of channels.
    CommandLedger ledger() {
        return ledger;
    }

    /// Returns the channels of a virtual machine whose commands have started.
    List<OwnedChannel> startedOf(AttachedVm vm) {
        List<OwnedChannel> found = new ArrayList<>();
        for (int i = 0; i < started.size(); i++) {
            if (started.get(i).vm() == vm) {
                found.add(started.get(i));
            }
        }
        return found;
    }

    /// Returns the listener.
    CommandTap tap() {
        return ledger.tap();
    }

    /// Handles a doorbell of a guest's channel.
    void ring(OwnedChannel channel, int put, long nowNs) {
        channel.want(put);
        offer(channel, nowNs);
    }

    /// Queues a channel's work, if the channel may run and has no command queued or running.
    void offer(OwnedChannel channel, long nowNs) {
        if (channel.hasWork() && channel.mayStart() && !ledger.submit(channel, nowNs)) {
            channel.vm().turnedAway = true;
        }
    }

    /// Observes running commands and starts the next commands.
    ///
    /// @return number of events handled
    int doWork(long nowNs) {
        int work = 0;
        for (int i = started.size() - 1; i >= 0; i--) {
            if (observe(started.get(i), nowNs)) {
                work++;
            }
        }
        for (int engine = 0; engine < ScheduledEngine.COUNT; engine++) {
            boolean free = isFree(started.busyEngines(null), engine);
            VmAccount next = free ? scheduler.next(engine, nowNs) : null;
            if (next != null && startFirst(next, engine, nowNs)) {
                work++;
            }
        }
        return work;
    }

    /// Returns the time, in nanoseconds, for which [#doWork] need not be called after it has found
    /// no work, unless the GPU or a guest signals; [Long#MAX_VALUE] for an indefinite wait.
    ///
    /// @param isTold whether the GPU signals the end of a command
    long nanosUntilWork(boolean isTold, long nowNs) {
        long nanos = Long.MAX_VALUE;
        int busy = started.busyEngines(null);
        for (int engine = 0; engine < ScheduledEngine.COUNT; engine++) {
            if (isFree(busy, engine)) {
                nanos = Math.min(nanos, scheduler.nanosUntilDecision(engine, nowNs));
            }
        }
        return started.isEmpty() ? nanos : Math.min(nanos, started.nanosUntilLook(isTold, nowNs));
    }

    /// Returns whether a command has started and not ended, so that the owner must poll again soon.
    boolean isBusy() {
        return !started.isEmpty();
    }

    /// Returns whether a command of a session uses the GPU or waits in it.
    boolean isRunning(AttachedSession session) {
        return started.isAnyOf(session);
    }

    /// Returns a channel whose command exceeds the time limit; null if there is none.
    OwnedChannel overdue(long nowNs) {
        return started.overdue(limitNs, nowNs);
    }

    /// Discards the queued or running command of a channel that has been removed from its engine,
    /// and marks the channel dead.
    void abandon(OwnedChannel channel, long nowNs) {
        if (started.remove(channel)) {
            channel.needs().see(0, fifo.state(channel.physicalId()));
            ledger.complete(channel, nowNs);
        }
        if (channel.state().isQueued()) {
            ledger.withdraw(channel, nowNs);
        }
        channel.die();
        channel.showIdle(0);
        offerTurnedAway(channel.vm(), nowNs);
    }

    /// Shows the state of a channel to its guest, after the channel has been removed from its
    /// engine.
    void show(OwnedChannel channel) {
        enginesOf(channel);
        channel.showEngines();
        channel.show(fifo.state(channel.physicalId()));
    }

    /// Returns whether an engine with one of the given bits of `PMC.ENABLE` is busy with a channel,
    /// or was busy with it when the channel's command was held back.
    boolean isOn(OwnedChannel channel, int pmcEnableBits) {
        int engines = enginesOf(channel);
        for (ScheduledEngine engine : ScheduledEngine.values()) {
            if (channel.state().isHeldBack() && (channel.needs().needed() & engine.bit()) != 0) {
                engines |= 1 << engine.engine().number();
            }
        }
        boolean graph = Pmc.ENABLE_PGRAPH.isSet(pmcEnableBits) && isSet(engines, EngineId.GRAPH);
        boolean copy0 = Pmc.ENABLE_PCOPY0.isSet(pmcEnableBits) && isSet(engines, EngineId.COPY0);
        boolean copy1 = Pmc.ENABLE_PCOPY1.isSet(pmcEnableBits) && isSet(engines, EngineId.COPY1);
        return graph || copy0 || copy1;
    }

    private static boolean isSet(int engines, EngineId engine) {
        return (engines >>> engine.number() & 1) != 0;
    }

    private static boolean isFree(int busy, int engine) {
        return (busy >>> engine & 1) == 0;
    }

    /// @return false if the command waits for another engine that it needs
    private boolean startFirst(VmAccount turn, int engine, long nowNs) {
        OwnedChannel channel = pool.holder((int) scheduler.first(turn, engine));
        if (channel.mayStart()) {
            if ((channel.needs().needed() & started.busyEngines(null)) != 0) {
                return false;
            }
            start(channel, turn, engine, nowNs);
        } else {
            ledger.withdraw(channel, nowNs);
            channel.withdraw();
        }
        offerTurnedAway(channel.vm(), nowNs);
        return true;
    }

    private void start(OwnedChannel channel, VmAccount turn, int engine, long nowNs) {
        boolean wasHeldBack = channel.start(nowNs);
        channel.session().worked = true;
        started.add(channel);
        // The guest sees its engine as busy before the engine is busy.
        channel.showEngine(
                channel.needs().queuedFor().engine().number(),
                Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask());
        ledger.take(channel, turn, engine, nowNs);
        if (wasHeldBack) {
            fifo.start(channel.physicalId());
        }
        fifo.ring(channel.physicalId(), channel.rungPut());
    }

    /// Stops a running command, and queues it again.
    private void holdBack(OwnedChannel channel, long nowNs) {
        fifo.stop(channel.physicalId());
        started.remove(channel);
        ledger.complete(channel, nowNs);
        channel.holdBack();
        offer(channel, nowNs);
    }

    /// Repeats the offers that a full queue has rejected, starting with a different channel in each
    /// call.
    private void offerTurnedAway(AttachedVm vm, long nowNs) {
        if (vm.turnedAway) {
            vm.turnedAway = false;
            vm.firstOffered = (vm.firstOffered + 1) % Pfifo.CHANNELS;
            for (int i = 0; i < Pfifo.CHANNELS; i++) {
                offer(vm.channel((vm.firstOffered + i) % Pfifo.CHANNELS), nowNs);
            }
        }
    }

    /// @return whether the command has ended or changed its state
    private boolean observe(OwnedChannel channel, long nowNs) {
        // The order of these reads matters: a channel reports that it waits before it leaves its
        // engine, and does both before its last entry counts as read.
        boolean read = channel.hasRead();
        int engines = enginesOf(channel);
        int state = fifo.state(channel.physicalId());
        int strays = channel.needs().see(engines, state);
        if (read && engines == 0 && !Pfifo.STATE_PENDING.isSet(state)) {
            started.remove(channel);
            ledger.complete(channel, nowNs);
            channel.complete();
            channel.showIdle(state);
            offer(channel, nowNs);
            return true;
        }
        boolean waits = Pfifo.STATE_ACQUIRE_PENDING.isSet(state);
        // While the channel has more to read, at least one engine is shown as busy.
        if (read || waits || engines != 0) {
            channel.showEngines();
        }
        channel.show(state);
        // Stopping a channel does not remove it from its engine: it is observed until it has been
        // preempted. An engine's status names only one channel, so another channel may also be on
        // the engine.
        boolean stopped = !channel.isRunnable() || !channel.isListed();
        boolean rests = waits || stopped && engines == 0;
        if (rests) {
            return park(channel, nowNs);
        }
        return goOn(channel, strays, nowNs);
    }

    /// @return whether the command used the GPU until now
    private boolean park(OwnedChannel channel, long nowNs) {
        if (channel.state() == ChannelState.PARKED) {
            return false;
        }
        channel.park(nowNs);
        ledger.park(channel, nowNs);
        return true;
    }

    /// @param strays engines that the command uses without holding them
    /// @return whether the command must wait now, or has waited until now
    private boolean goOn(OwnedChannel channel, int strays, long nowNs) {
        boolean waited = channel.state() == ChannelState.PARKED;
        int wanted = waited ? channel.needs().held() | strays : strays;
        if ((wanted & started.busyEngines(channel)) != 0) {
            holdBack(channel, nowNs);
            return true;
        }
        channel.needs().hold(strays);
        if (waited) {
            channel.goOn(nowNs);
            ledger.resume(channel, nowNs);
        }
        return waited;
    }

    /// Returns the engines that are busy with a channel, one bit each.
    private int enginesOf(OwnedChannel channel) {
        int busy = 0;
        for (EngineId engine : ENGINES) {
            int status = fifo.statusFor(channel.physicalId(), engine);
            channel.see(engine, status);
            busy |= status == 0 ? 0 : 1 << engine.number();
        }
        return busy;
    }
}

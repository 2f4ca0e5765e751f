package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;

/// Commands from doorbell to completion: a command is what a channel's ring holds when its turn
/// comes.
///
/// One command uses an engine at a time; engines run beside each other. A command is queued for the
/// engine that its channel used last, for what it will use nobody can know; if its channel uses
/// several, it starts when it can have all of them. One that waits for a semaphore uses none, nor
/// does one that its guest has taken off the GPU: others run meanwhile, among them perhaps the one
/// that it waits for. A command is done when the GPU has read all of it, no engine is busy with the
/// channel, and the channel has nothing left to do.
///
/// **Held back.** One that is seen on an engine which somebody else has, or that goes on after it
/// has waited while somebody else has its engine, is stopped, and queued again for all that it
/// uses: nobody gets an engine but by the policy, for longer than it takes to see it. What it had
/// until then is charged.
///
/// A virtual machine whose queue is full loses nothing: what a channel wants stays with the
/// channel, and is queued when there is room.
///
/// What it sees of channels and engines it shows to their guest. Charges are the [CommandLedger]'s.
/// Confined to the owner's thread.
final class CommandRunner {
    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};

    private final PhysicalFifo fifo;
    private final GpuScheduler scheduler;
    private final ChannelPool pool;
    private final long limitNs;
    private final CommandLedger ledger;
    private final StartedCommands started = new StartedCommands();

    /// @param limitNs GPU time after which a command is ended
    CommandRunner(PhysicalFifo fifo, GpuScheduler scheduler, ChannelPool pool, long limitNs) {
        this.fifo = fifo;
        this.scheduler = scheduler;
        this.pool = pool;
        this.limitNs = limitNs;
        ledger = new CommandLedger(scheduler);
    }

    /// Has a listener told what becomes of commands. Called once, before anything else.
    void onCommands(CommandTap listener) {
        ledger.onCommands(listener);
    }

    /// The listener.
    CommandTap tap() {
        return ledger.tap();
    }

    /// The guest rang a channel's doorbell.
    void ring(OwnedChannel channel, int put, long nowNs) {
        channel.want(put);
        offer(channel, nowNs);
    }

    /// Queues what a channel wants, if it may run and has nothing queued or running.
    void offer(OwnedChannel channel, long nowNs) {
        if (channel.hasWork() && channel.mayStart() && !ledger.submit(channel, nowNs)) {
            channel.vm().turnedAway = true;
        }
    }

    /// Looks after what runs and starts what is next.
    ///
    /// @return how much happened
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

    /// How long nobody has to look, after [#doWork] has found nothing to do, unless the GPU or a
    /// guest says something; [Long#MAX_VALUE] for as long as they do not.
    ///
    /// @param isTold whether the GPU tells when a command has ended
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

    /// Whether anything runs, so that somebody should look again soon.
    boolean isBusy() {
        return !started.isEmpty();
    }

    /// Whether a command of a virtual machine uses the GPU or waits in it.
    boolean isRunning(AttachedVm vm) {
        return started.isAnyOf(vm);
    }

    /// A command that runs for longer than allowed; null if there is none.
    OwnedChannel overdue(long nowNs) {
        return started.overdue(limitNs, nowNs);
    }

    /// Forgets what a channel has queued or running, which is dead from now on, after it was taken
    /// off its engine.
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

    /// Shows a channel's guest what it does now, after it was taken off its engine.
    void show(OwnedChannel channel) {
        enginesOf(channel);
        channel.showEngines();
        channel.show(fifo.state(channel.physicalId()));
    }

    /// Whether an engine is busy with a channel, or was when it was held back, whose bit of
    /// `PMC.ENABLE` is one of some.
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

    /// @return false if it waits for another engine that it needs
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
        channel.vm().worked = true;
        started.add(channel);
        // Its engine is shown as busy before it is.
        channel.showEngine(
                channel.needs().queuedFor().engine().number(),
                Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask());
        ledger.take(channel, turn, engine, nowNs);
        if (wasHeldBack) {
            fifo.start(channel.physicalId());
        }
        fifo.ring(channel.physicalId(), channel.rungPut());
    }

    /// Stops a command where it is, and queues it again.
    private void holdBack(OwnedChannel channel, long nowNs) {
        fifo.stop(channel.physicalId());
        started.remove(channel);
        ledger.complete(channel, nowNs);
        channel.holdBack();
        offer(channel, nowNs);
    }

    /// There may be room again for what found a queue full; not always for the same channels first.
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
        // In this order: a channel shows that it waits before it leaves its engine, and both before
        // the last entry counts as read.
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
        // While it has more to read, some engine is always shown to be busy.
        if (read || waits || engines != 0) {
            channel.showEngines();
        }
        channel.show(state);
        // Stopping a channel does not take it off its engine: until a preemption has, it is
        // watched. An engine names one channel, so that one it does not name may be on it, too.
        boolean stopped = !channel.isRunnable() || !channel.isListed();
        boolean rests = waits || stopped && engines == 0;
        if (rests) {
            return park(channel, nowNs);
        }
        return goOn(channel, strays, nowNs);
    }

    /// @return whether it used the GPU until now
    private boolean park(OwnedChannel channel, long nowNs) {
        if (channel.state() == ChannelState.PARKED) {
            return false;
        }
        channel.park(nowNs);
        ledger.charge(channel, nowNs);
        return true;
    }

    /// @param strays engines that it uses without having them
    /// @return whether it has to wait now, or did until now
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
        }
        return waited;
    }

    /// Engines that are busy with a channel, a bit each.
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

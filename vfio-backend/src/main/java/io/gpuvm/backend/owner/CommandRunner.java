package io.gpuvm.backend.owner;

import io.gpuvm.backend.owner.OwnedChannel.Work;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import java.util.ArrayList;
import java.util.List;

/// Commands from doorbell to completion: a command is what a channel's ring holds when its turn
/// comes.
///
/// One command uses the GPU at a time. One that waits for a semaphore does not use it, nor does one
/// that its guest has taken off the GPU: others run meanwhile, among them perhaps the one that it
/// waits for. A command is done when the GPU has read all of it, no engine is busy with the
/// channel, and the channel has nothing left to do.
///
/// What it sees of channels and engines it shows to their guest. Confined to the owner's thread.
final class CommandRunner {
    /// The scheduler's engine: the whole GPU.
    private static final int WHOLE_GPU = 0;

    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};

    private final PhysicalFifo fifo;
    private final GpuScheduler scheduler;
    private final ChannelPool pool;
    private final long limitNs;
    private final List<OwnedChannel> started = new ArrayList<>();
    private CommandTap tap = CommandTap.NONE;

    /// @param limitNs GPU time after which a command is ended
    CommandRunner(PhysicalFifo fifo, GpuScheduler scheduler, ChannelPool pool, long limitNs) {
        this.fifo = fifo;
        this.scheduler = scheduler;
        this.pool = pool;
        this.limitNs = limitNs;
    }

    /// Who is told what becomes of commands. Called once, before anything else.
    void onCommands(CommandTap listener) {
        tap = listener;
    }

    /// The guest rang a channel's doorbell.
    void ring(OwnedChannel channel, int put, long nowNs) {
        channel.wantedPut = put;
        offer(channel, nowNs);
    }

    /// Queues what a channel wants, if it may run and has nothing queued or running.
    void offer(OwnedChannel channel, long nowNs) {
        boolean ready =
                mayStart(channel)
                        && channel.work == Work.NONE
                        && channel.wantedPut != channel.rungPut;
        if (ready && scheduler.submit(channel.vm.account(), WHOLE_GPU, channel.physicalId, nowNs)) {
            channel.work = Work.QUEUED;
            tap.onSubmitted(channel.vm.number, channel.guestId, nowNs);
        }
    }

    /// Looks after what runs and starts what is next.
    ///
    /// @return how much happened
    int doWork(long nowNs) {
        int work = 0;
        boolean busy = false;
        for (int i = started.size() - 1; i >= 0; i--) {
            OwnedChannel channel = started.get(i);
            if (observe(channel, nowNs)) {
                work++;
            }
            busy |= channel.work == Work.RUNNING;
        }
        if (!busy) {
            VmAccount next = scheduler.next(WHOLE_GPU, nowNs);
            if (next != null) {
                startFirst(next, nowNs);
                work++;
            }
        }
        return work;
    }

    /// Whether anything runs, so that somebody should look again soon.
    boolean isBusy() {
        return !started.isEmpty();
    }

    /// Whether a command of a virtual machine uses the GPU or waits in it.
    boolean isRunning(AttachedVm vm) {
        for (int i = 0; i < started.size(); i++) {
            if (started.get(i).vm == vm) {
                return true;
            }
        }
        return false;
    }

    /// A command that runs for longer than allowed; null if there is none.
    OwnedChannel overdue(long nowNs) {
        for (int i = 0; i < started.size(); i++) {
            OwnedChannel channel = started.get(i);
            if (channel.work == Work.RUNNING
                    && channel.usedNs + nowNs - channel.runningSinceNs > limitNs) {
                return channel;
            }
        }
        return null;
    }

    /// Forgets what a channel has queued or running, after it was taken off its engine or died.
    void abandon(OwnedChannel channel, long nowNs) {
        if (started.remove(channel)) {
            charge(channel, nowNs);
        }
        if (channel.work == Work.QUEUED) {
            scheduler.withdraw(channel.vm.account(), WHOLE_GPU, channel.physicalId, nowNs);
            tap.onWithdrawn(channel.vm.number, channel.guestId);
        }
        channel.work = Work.NONE;
        channel.showIdle(0);
    }

    /// Shows a channel's guest what it does now, after it was taken off its engine.
    void show(OwnedChannel channel) {
        enginesOf(channel);
        channel.showEngines();
        channel.show(fifo.state(channel.physicalId));
    }

    /// Whether an engine is busy with a channel whose bit of `PMC.ENABLE` is one of some.
    boolean isOn(OwnedChannel channel, int pmcEnableBits) {
        int engines = enginesOf(channel);
        boolean graph = Pmc.ENABLE_PGRAPH.isSet(pmcEnableBits) && isSet(engines, EngineId.GRAPH);
        boolean copy0 = Pmc.ENABLE_PCOPY0.isSet(pmcEnableBits) && isSet(engines, EngineId.COPY0);
        boolean copy1 = Pmc.ENABLE_PCOPY1.isSet(pmcEnableBits) && isSet(engines, EngineId.COPY1);
        return graph || copy0 || copy1;
    }

    private static boolean isSet(int engines, EngineId engine) {
        return (engines >>> engine.number() & 1) != 0;
    }

    private static boolean mayStart(OwnedChannel channel) {
        return channel.isBound()
                && !channel.dead
                && channel.runnable
                && channel.listed
                && channel.vm.frozenEngines == 0;
    }

    private void startFirst(VmAccount turn, long nowNs) {
        int physicalId = (int) scheduler.first(turn, WHOLE_GPU);
        OwnedChannel channel = pool.holder(physicalId);
        if (!mayStart(channel)) {
            scheduler.withdraw(turn, WHOLE_GPU, physicalId, nowNs);
            channel.work = Work.NONE; // offered again when it may
            tap.onWithdrawn(channel.vm.number, channel.guestId);
            return;
        }
        scheduler.take(turn, WHOLE_GPU, nowNs);
        channel.rungPut = channel.wantedPut;
        channel.usedNs = 0;
        channel.runningSinceNs = nowNs;
        channel.work = Work.RUNNING;
        channel.vm.worked = true;
        started.add(channel);
        showBusy(channel);
        tap.onStarted(channel.vm.number, channel.guestId, nowNs);
        fifo.ring(channel.physicalId, channel.rungPut);
    }

    /// @return whether the command has ended or changed its state
    private boolean observe(OwnedChannel channel, long nowNs) {
        // In this order: a channel shows that it waits before it leaves its engine, and both before
        // the last entry counts as read.
        boolean read = channel.hasRead();
        int engines = enginesOf(channel);
        int state = fifo.state(channel.physicalId);
        if (read && engines == 0 && !Pfifo.STATE_PENDING.isSet(state)) {
            started.remove(channel);
            charge(channel, nowNs);
            channel.work = Work.NONE;
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
        // watched.
        boolean rests = waits || engines == 0 && (read || !channel.runnable || !channel.listed);
        if (rests && channel.work == Work.RUNNING) {
            channel.usedNs += nowNs - channel.runningSinceNs;
            channel.work = Work.PARKED;
            return true;
        }
        if (!rests && channel.work == Work.PARKED) {
            channel.runningSinceNs = nowNs;
            channel.work = Work.RUNNING;
            return true;
        }
        return false;
    }

    private void charge(OwnedChannel channel, long nowNs) {
        if (channel.work == Work.RUNNING) {
            channel.usedNs += nowNs - channel.runningSinceNs;
        }
        scheduler.completed(channel.vm.account(), WHOLE_GPU, channel.usedNs, nowNs);
        channel.vm.requests().showGpuTime(channel.vm.account().usedNs());
        tap.onCompleted(
                channel.vm.number,
                channel.guestId,
                Pfifo.STATE_ENGINE.get(fifo.state(channel.physicalId)),
                channel.usedNs,
                nowNs);
    }

    /// Engines that are busy with a channel, a bit each.
    private int enginesOf(OwnedChannel channel) {
        int busy = 0;
        for (EngineId engine : ENGINES) {
            int status = fifo.statusFor(channel.physicalId, engine);
            channel.engineStatuses[engine.number()] = status;
            busy |= status == 0 ? 0 : 1 << engine.number();
        }
        return busy;
    }

    /// Shows the engine that the channel used last as busy, before it is.
    private void showBusy(OwnedChannel channel) {
        int last = Pfifo.STATE_ENGINE.get(fifo.state(channel.physicalId));
        EngineId engine = last < EngineId.COUNT ? EngineId.of(last) : EngineId.GRAPH;
        channel.showEngine(
                engine.number(), Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask());
    }
}

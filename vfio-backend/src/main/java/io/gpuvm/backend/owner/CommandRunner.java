package io.gpuvm.backend.owner;

import io.gpuvm.backend.owner.OwnedChannel.Work;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands from doorbell to completion: a command is what a channel's ring holds when its turn
/// comes.
///
/// One command uses an engine at a time; engines run beside each other. A command is queued for the
/// engine that its channel used last, for what it will use nobody can know. One that waits for a
/// semaphore uses none, nor does one that its guest has taken off the GPU: others run meanwhile,
/// among them perhaps the one that it waits for. A command is done when the GPU has read all of it,
/// no engine is busy with the channel, and the channel has nothing left to do.
///
/// The engine for which a command was queued is charged for all of its time, for nobody else had it
/// then. If it was seen on another, that one is charged for as much, and is not given to others
/// until it has left. A channel that was caught at this is charged for both from then on, also when
/// nobody was looking: by queueing for a wrong engine no guest gains anything.
///
/// A virtual machine whose queue is full loses nothing: what a channel wants stays with the
/// channel, and is queued when there is room.
///
/// What it sees of channels and engines it shows to their guest. Confined to the owner's thread.
final class CommandRunner {
    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};
    private static final int ALL_BUSY = (1 << EngineClass.COUNT) - 1;

    /// Part of its age for which a command that runs is left alone where the GPU does not tell that
    /// it has ended: its end is seen within an eighth of what it took.
    private static final int LOOKS_PER_AGE = 8;

    private static final long LEAST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PhysicalFifo fifo;
    private final GpuScheduler scheduler;
    private final ChannelPool pool;
    private final long limitNs;
    private final List<OwnedChannel> started = new ArrayList<>();
    private final Naps naps = new Naps(LEAST_NAP_NS, LONGEST_NAP_NS);
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

    /// Who is told.
    CommandTap tap() {
        return tap;
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
        if (!ready) {
            return;
        }
        int engine = channel.lastEngine.ordinal();
        if (scheduler.submit(channel.vm.account(), engine, channel.physicalId, nowNs)) {
            channel.queuedFor = channel.lastEngine;
            channel.work = Work.QUEUED;
            tap.onSubmitted(channel.vm.number, channel.guestId, engine, nowNs);
        } else {
            channel.vm.turnedAway = true;
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
        int busy = busyEngines();
        for (int engine = 0; busy != ALL_BUSY && engine < EngineClass.COUNT; engine++) {
            VmAccount next = isFree(busy, engine) ? scheduler.next(engine, nowNs) : null;
            if (next != null) {
                startFirst(next, engine, nowNs);
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
        int busy = busyEngines();
        for (int engine = 0; engine < EngineClass.COUNT; engine++) {
            if (isFree(busy, engine)) {
                nanos = Math.min(nanos, scheduler.nanosUntilDecision(engine, nowNs));
            }
        }
        return started.isEmpty() ? nanos : Math.min(nanos, nanosUntilLook(isTold, nowNs));
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
            channel.sees(0, fifo.state(channel.physicalId));
            charge(channel, nowNs);
        }
        if (channel.work == Work.QUEUED) {
            withdraw(channel, nowNs);
        }
        channel.work = Work.NONE;
        channel.showIdle(0);
        offerTurnedAway(channel.vm, nowNs);
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

    /// Also where the GPU tells when commands end, somebody has to see what engines they use
    /// meanwhile.
    private long nanosUntilLook(boolean isTold, long nowNs) {
        if (isTold) {
            return naps.next();
        }
        long youngestNs = LOOKS_PER_AGE * LONGEST_NAP_NS;
        for (int i = 0; i < started.size(); i++) {
            if (started.get(i).work == Work.RUNNING) {
                youngestNs = Math.min(youngestNs, nowNs - started.get(i).runningSinceNs);
            }
        }
        return Math.clamp(youngestNs / LOOKS_PER_AGE, LEAST_NAP_NS, LONGEST_NAP_NS);
    }

    private int busyEngines() {
        int busy = 0;
        for (int i = 0; i < started.size(); i++) {
            OwnedChannel channel = started.get(i);
            if (channel.work == Work.RUNNING) {
                busy |= channel.queuedFor.bit() | channel.usesEngines;
            }
        }
        return busy;
    }

    private static boolean isFree(int busy, int engine) {
        return (busy >>> engine & 1) == 0;
    }

    private void startFirst(VmAccount turn, int engine, long nowNs) {
        OwnedChannel channel = pool.holder((int) scheduler.first(turn, engine));
        if (mayStart(channel)) {
            scheduler.take(turn, engine, nowNs);
            start(channel, nowNs);
        } else {
            withdraw(channel, nowNs);
            channel.work = Work.NONE; // offered again when it may
        }
        offerTurnedAway(channel.vm, nowNs);
    }

    private void start(OwnedChannel channel, long nowNs) {
        channel.rungPut = channel.wantedPut;
        channel.usedNs = 0;
        channel.runningSinceNs = nowNs;
        channel.usesEngines = 0;
        channel.hasUsedEngines = 0;
        channel.work = Work.RUNNING;
        channel.vm.worked = true;
        started.add(channel);
        // Its engine is shown as busy before it is.
        channel.showEngine(
                channel.queuedFor.engine().number(),
                Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask());
        tap.onStarted(channel.vm.number, channel.guestId, channel.queuedFor.ordinal(), nowNs);
        fifo.ring(channel.physicalId, channel.rungPut);
    }

    private void withdraw(OwnedChannel channel, long nowNs) {
        int engine = channel.queuedFor.ordinal();
        scheduler.withdraw(channel.vm.account(), engine, channel.physicalId, nowNs);
        tap.onWithdrawn(channel.vm.number, channel.guestId, engine, nowNs);
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
        int state = fifo.state(channel.physicalId);
        channel.sees(engines, state);
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
        int others = channel.enginesToChargeAlso();
        for (int engine = 0; others >>> engine != 0; engine++) {
            if ((others >>> engine & 1) != 0) {
                scheduler.charge(channel.vm.account(), engine, channel.usedNs, nowNs);
                tap.onCharged(channel.vm.number, channel.guestId, engine, channel.usedNs, nowNs);
            }
        }
        int engine = channel.queuedFor.ordinal();
        scheduler.completed(channel.vm.account(), engine, channel.usedNs, nowNs);
        channel.vm.requests().showGpuTime(channel.vm.account().usedNs());
        tap.onCompleted(channel.vm.number, channel.guestId, engine, channel.usedNs, nowNs);
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
}

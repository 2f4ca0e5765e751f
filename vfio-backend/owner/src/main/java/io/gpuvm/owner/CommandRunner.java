package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.owner.OwnedChannel.Work;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
/// **Charges.** Each engine that a command has for itself, or was seen on, is charged for all of
/// its time, for nobody else had it then: at the command's end, and whenever it begins to wait.
///
/// A virtual machine whose queue is full loses nothing: what a channel wants stays with the
/// channel, and is queued when there is room.
///
/// What it sees of channels and engines it shows to their guest. Confined to the owner's thread.
final class CommandRunner {
    private static final EngineId[] ENGINES = {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1};

    /// Part of its age for which a command that runs is left alone where the GPU does not tell that
    /// it has ended: its end is seen within an eighth of what it took.
    private static final int LOOKS_PER_AGE = 8;

    private static final long LEAST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// How long commands that wait for semaphores are left alone: what goes on meanwhile is seen so
    /// much later.
    private static final long WAITING_NAP_NS = TimeUnit.MILLISECONDS.toNanos(4);

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

    /// Nobody is told of what the owner does itself.
    private CommandTap tapOf(OwnedChannel channel) {
        return channel.vm.number == AttachedVm.OWNER ? CommandTap.NONE : tap;
    }

    /// The guest rang a channel's doorbell.
    void ring(OwnedChannel channel, int put, long nowNs) {
        channel.wantedPut = put;
        offer(channel, nowNs);
    }

    /// Queues what a channel wants, if it may run and has nothing queued or running.
    void offer(OwnedChannel channel, long nowNs) {
        boolean wants = channel.heldBack || channel.wantedPut != channel.rungPut;
        if (!wants || channel.work != Work.NONE || !mayStart(channel)) {
            return;
        }
        EngineClass wanted = channel.wants();
        int engine = wanted.ordinal();
        if (scheduler.submit(channel.vm.account(), engine, channel.physicalId, nowNs)) {
            channel.queuedFor = wanted;
            channel.work = Work.QUEUED;
            tapOf(channel).onSubmitted(channel.vm.number, channel.guestId, engine, nowNs);
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
        for (int engine = 0; engine < EngineClass.COUNT; engine++) {
            boolean free = isFree(busyEngines(null), engine);
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
        int busy = busyEngines(null);
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
                    && channel.beforeNs + channel.usedNs + nowNs - channel.runningSinceNs
                            > limitNs) {
                return channel;
            }
        }
        return null;
    }

    /// Forgets what a channel has queued or running, after it was taken off its engine or died.
    void abandon(OwnedChannel channel, long nowNs) {
        if (started.remove(channel)) {
            channel.sees(0, fifo.state(channel.physicalId));
            complete(channel, nowNs);
        }
        if (channel.work == Work.QUEUED) {
            withdraw(channel, nowNs);
        }
        channel.work = Work.NONE;
        channel.heldBack = false;
        channel.showIdle(0);
        offerTurnedAway(channel.vm, nowNs);
    }

    /// Shows a channel's guest what it does now, after it was taken off its engine.
    void show(OwnedChannel channel) {
        enginesOf(channel);
        channel.showEngines();
        channel.show(fifo.state(channel.physicalId));
    }

    /// Whether an engine is busy with a channel, or was when it was held back, whose bit of
    /// `PMC.ENABLE` is one of some.
    boolean isOn(OwnedChannel channel, int pmcEnableBits) {
        int engines = enginesOf(channel);
        for (EngineClass engine : EngineClass.values()) {
            if (channel.heldBack && (channel.needs() & engine.bit()) != 0) {
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
        long youngestNs = Long.MAX_VALUE;
        for (int i = 0; i < started.size(); i++) {
            if (started.get(i).work == Work.RUNNING) {
                youngestNs = Math.min(youngestNs, nowNs - started.get(i).runningSinceNs);
            }
        }
        if (youngestNs == Long.MAX_VALUE) {
            return WAITING_NAP_NS;
        }
        if (isTold) {
            return naps.next();
        }
        return Math.clamp(youngestNs / LOOKS_PER_AGE, LEAST_NAP_NS, LONGEST_NAP_NS);
    }

    /// Engines that somebody has: bits of [EngineClass].
    ///
    /// @param except who does not count; null for nobody
    private int busyEngines(OwnedChannel except) {
        int busy = 0;
        for (int i = 0; i < started.size(); i++) {
            OwnedChannel channel = started.get(i);
            if (channel.work == Work.RUNNING && channel != except) {
                busy |= channel.holds;
            }
        }
        return busy;
    }

    private static boolean isFree(int busy, int engine) {
        return (busy >>> engine & 1) == 0;
    }

    /// @return false if it waits for another engine that it needs
    private boolean startFirst(VmAccount turn, int engine, long nowNs) {
        OwnedChannel channel = pool.holder((int) scheduler.first(turn, engine));
        if (mayStart(channel)) {
            if ((channel.needs() & busyEngines(null)) != 0) {
                return false;
            }
            scheduler.take(turn, engine, nowNs);
            start(channel, nowNs);
        } else {
            withdraw(channel, nowNs);
            channel.work = Work.NONE; // offered again when it may
        }
        offerTurnedAway(channel.vm, nowNs);
        return true;
    }

    private void start(OwnedChannel channel, long nowNs) {
        channel.rungPut = channel.wantedPut;
        channel.beforeNs = channel.heldBack ? channel.beforeNs + channel.usedNs : 0;
        channel.begin();
        channel.runningSinceNs = nowNs;
        channel.work = Work.RUNNING;
        channel.vm.worked = true;
        started.add(channel);
        // Its engine is shown as busy before it is.
        channel.showEngine(
                channel.queuedFor.engine().number(),
                Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask());
        tapOf(channel)
                .onStarted(channel.vm.number, channel.guestId, channel.queuedFor.ordinal(), nowNs);
        if (channel.heldBack) {
            channel.heldBack = false;
            fifo.start(channel.physicalId);
        }
        fifo.ring(channel.physicalId, channel.rungPut);
    }

    /// Stops a command where it is, and queues it again.
    private void holdBack(OwnedChannel channel, long nowNs) {
        fifo.stop(channel.physicalId);
        started.remove(channel);
        complete(channel, nowNs);
        channel.heldBack = true;
        channel.work = Work.NONE;
        offer(channel, nowNs);
    }

    private void withdraw(OwnedChannel channel, long nowNs) {
        int engine = channel.queuedFor.ordinal();
        scheduler.withdraw(channel.vm.account(), engine, channel.physicalId, nowNs);
        tapOf(channel).onWithdrawn(channel.vm.number, channel.guestId, engine, nowNs);
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
        int strays = channel.sees(engines, state);
        if (read && engines == 0 && !Pfifo.STATE_PENDING.isSet(state)) {
            started.remove(channel);
            complete(channel, nowNs);
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
        // watched. An engine names one channel, so that one it does not name may be on it, too.
        boolean stopped = !channel.runnable || !channel.listed;
        boolean rests = waits || stopped && engines == 0;
        if (rests) {
            return park(channel, nowNs);
        }
        return goOn(channel, strays, nowNs);
    }

    /// @return whether it used the GPU until now
    private boolean park(OwnedChannel channel, long nowNs) {
        if (channel.work == Work.PARKED) {
            return false;
        }
        use(channel, nowNs);
        channel.work = Work.PARKED;
        return true;
    }

    /// @param strays engines that it uses without having them
    /// @return whether it has to wait now, or did until now
    private boolean goOn(OwnedChannel channel, int strays, long nowNs) {
        boolean waited = channel.work == Work.PARKED;
        int wanted = waited ? channel.holds | strays : strays;
        if ((wanted & busyEngines(channel)) != 0) {
            holdBack(channel, nowNs);
            return true;
        }
        channel.holds |= strays;
        if (waited) {
            channel.runningSinceNs = nowNs;
            channel.work = Work.RUNNING;
        }
        return waited;
    }

    /// Charges what a command has used since it was charged last, while it is under way.
    private void use(OwnedChannel channel, long nowNs) {
        long newNs = takeUsed(channel, nowNs);
        chargeFor(channel, channel.chargedFor(), newNs, nowNs);
        channel.vm.status().showGpuTime(channel.vm.account().usedNs());
    }

    /// The same, and the command has ended, or has to wait for its turn.
    private void complete(OwnedChannel channel, long nowNs) {
        long newNs = takeUsed(channel, nowNs);
        int engine = channel.queuedFor.ordinal();
        chargeFor(channel, channel.chargedFor() & ~channel.queuedFor.bit(), newNs, nowNs);
        scheduler.completed(channel.vm.account(), engine, newNs, nowNs);
        channel.vm.status().showGpuTime(channel.vm.account().usedNs());
        tapOf(channel).onCompleted(channel.vm.number, channel.guestId, engine, newNs, nowNs);
        channel.learn();
    }

    private static long takeUsed(OwnedChannel channel, long nowNs) {
        if (channel.work == Work.RUNNING) {
            channel.usedNs += nowNs - channel.runningSinceNs;
        }
        long newNs = channel.usedNs - channel.chargedNs;
        channel.chargedNs = channel.usedNs;
        return newNs;
    }

    private void chargeFor(OwnedChannel channel, int engines, long ns, long nowNs) {
        for (int engine = 0; engines >>> engine != 0; engine++) {
            if (!isFree(engines, engine)) {
                scheduler.charge(channel.vm.account(), engine, ns, nowNs);
                tapOf(channel).onCharged(channel.vm.number, channel.guestId, engine, ns, nowNs);
            }
        }
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

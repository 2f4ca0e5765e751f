package io.gpuvm.backend.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One channel of one virtual machine, as the owner knows it. Confined to the owner's thread.
final class OwnedChannel {
    /// What a bound channel has to do at present.
    enum Work {
        /// Nothing: all that was rung for is done.
        NONE,
        /// A command waits for its turn.
        QUEUED,
        /// A command runs.
        RUNNING,
        /// A command runs, but waits for a semaphore: it neither uses the GPU nor is charged.
        PARKED
    }

    static final int UNBOUND = -1;

    final AttachedVm vm;
    final int guestId;

    /// The physical channel, [#UNBOUND] if there is none.
    int physicalId = UNBOUND;

    long instanceIova;
    boolean runnable;
    boolean listed;

    /// Whether it faulted or was stopped: the GPU does nothing for it until it is bound again.
    boolean dead;

    Work work = Work.NONE;

    /// Put index that the guest rang for last, and the one that the GPU was told.
    int wantedPut;

    int rungPut;

    /// When the command that runs began to use the GPU, and how long it had before it was parked.
    long runningSinceNs;

    long usedNs;

    /// The engine that it used last, as far as is known.
    EngineClass lastEngine = EngineClass.GRAPH;

    /// The engine for which its command was queued that waits or has started.
    EngineClass queuedFor = EngineClass.GRAPH;

    /// Engines that its command uses now and has used so far, as the owner saw it: bits of
    /// [EngineClass].
    int usesEngines;

    int hasUsedEngines;

    /// Whether it has used any engine since it was bound, so that there was something to go by.
    private boolean isKnown;

    /// Engines that it was caught using while it was queued for another.
    private int strayedTo;

    /// What each engine does for the channel, as the owner saw it last: `PFIFO.ENGINE_STATUS`.
    final int[] engineStatuses = new int[EngineId.COUNT];

    private final Userd userd = new Userd();

    OwnedChannel(AttachedVm vm, int guestId) {
        this.vm = vm;
        this.guestId = guestId;
    }

    boolean isBound() {
        return physicalId != UNBOUND;
    }

    void bind(int id, long instance, MemorySegment userdMemory, long userdOffset) {
        physicalId = id;
        instanceIova = instance;
        userd.wrap(userdMemory, userdOffset);
        wantedPut = userd.ibGet();
        rungPut = wantedPut;
        work = Work.NONE;
        dead = false;
        lastEngine = EngineClass.GRAPH;
        isKnown = false;
    }

    void unbind() {
        physicalId = UNBOUND;
        work = Work.NONE;
    }

    /// Its guest has gone; the next one is not to pay for what this one did.
    void forgive() {
        strayedTo = 0;
    }

    /// The owner has looked at it while it runs.
    ///
    /// @param busyEngines engines that are busy with it, a bit each by PFIFO's numbers
    /// @param state `PFIFO.CHANNEL_STATE`
    void sees(int busyEngines, int state) {
        int engines = 0;
        int last = Pfifo.STATE_ENGINE.get(state);
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            if (engine == last || (busyEngines >>> engine & 1) != 0) {
                engines |= EngineClass.ofFifo(engine).bit();
            }
        }
        if (last < EngineId.COUNT) {
            lastEngine = EngineClass.ofFifo(last);
        }
        usesEngines = engines;
        hasUsedEngines |= engines;
    }

    /// Engines that its command is charged for beside the one that it was queued for. Asked once,
    /// at the command's end.
    int enginesToChargeAlso() {
        int others = ~queuedFor.bit();
        if (isKnown) {
            strayedTo |= hasUsedEngines & others;
        }
        isKnown |= hasUsedEngines != 0;
        return (hasUsedEngines | strayedTo) & others;
    }

    /// Whether the GPU has read all that it was told of.
    boolean hasRead() {
        return userd.ibGet() == rungPut;
    }

    /// Shows the guest what the channel does: `PFIFO.CHANNEL_STATE`.
    void show(int state) {
        vm.requests().showChannel(guestId, Pfifo.STATE_RUNNABLE.with(state, 0));
    }

    /// Shows the guest what engines do for the channel.
    void showEngines() {
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            if (engineStatuses[engine] != 0) {
                showEngine(engine, engineStatuses[engine]);
            }
        }
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            int shown = vm.requests().engineStatus(engine);
            if (engineStatuses[engine] == 0 && Pfifo.STATUS_CHANNEL.get(shown) == guestId) {
                vm.requests().showEngine(engine, 0);
            }
        }
    }

    /// Shows the guest that an engine is busy with the channel.
    void showEngine(int engine, int status) {
        vm.requests().showEngine(engine, Pfifo.STATUS_CHANNEL.with(status, guestId));
    }

    /// Shows the guest that no engine does anything for the channel.
    ///
    /// @param state `PFIFO.CHANNEL_STATE`
    void showIdle(int state) {
        Arrays.fill(engineStatuses, 0);
        showEngines();
        show(state);
    }

    @Override
    public String toString() {
        return "%s channel %d".formatted(vm.name(), guestId);
    }
}

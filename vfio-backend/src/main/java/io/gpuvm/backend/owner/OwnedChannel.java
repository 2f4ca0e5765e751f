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
    }

    void unbind() {
        physicalId = UNBOUND;
        work = Work.NONE;
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

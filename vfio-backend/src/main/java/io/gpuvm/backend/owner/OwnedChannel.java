package io.gpuvm.backend.owner;

import io.gpuvm.gf100.fifo.Userd;
import java.lang.foreign.MemorySegment;

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

    @Override
    public String toString() {
        return "%s channel %d".formatted(vm.name(), guestId);
    }
}

package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// All shadow address spaces of one VM.
///
/// Nothing that guest memory holds makes a method here throw: what cannot be shadowed is not
/// present. Confined to the VM's thread.
public final class ShadowSpaces {
    private final ShadowSetup setup;
    private final List<ShadowSpace> spaces = new ArrayList<>();

    public ShadowSpaces(ShadowSetup setup) {
        this.setup = setup;
    }

    /// The shadow of a guest's page directory; the same one for all who ask, until the last of them
    /// has released it.
    ///
    /// @param target where the guest's directory lies
    /// @param guestDirectory its address there, in guest VRAM or guest-physical
    /// @return null if the arena has no room for a directory
    public ShadowSpace acquire(MemoryTarget target, long guestDirectory) {
        for (ShadowSpace space : spaces) {
            if (space.shadows(target, guestDirectory)) {
                space.retain();
                return space;
            }
        }
        long offset = setup.arena().take(ArenaBlock.DIRECTORY);
        if (offset == ShadowArena.NONE) {
            setup.counters().increment(ShadowCounter.TABLES_REFUSED);
            return null;
        }
        ShadowSpace space = new ShadowSpace(setup.arena(), target, guestDirectory, offset);
        space.retain();
        spaces.add(space);
        return space;
    }

    /// Lets go of what [#acquire] gave, after hardware has.
    public void release(ShadowSpace space) {
        if (space.release()) {
            spaces.remove(space);
            setup.arena().giveBack(ArenaBlock.DIRECTORY, space.directoryOffset());
        }
    }

    /// To be told of every trapped write that reached guest VRAM: pages that hold tables or bound
    /// instance blocks are marked. Neither allocates nor reads guest memory; cheap where no such
    /// page is.
    ///
    /// @param guestVram offset in the guest's VRAM
    /// @param width in bytes, 1 to 8
    public void onVramWrite(long guestVram, int width) {}

    /// The guest asks for a TLB flush.
    ///
    /// @param vspaceWord which directory ([Pffb#VM_TLB_FLUSH_VSPACE])
    /// @param triggerWord what to flush ([Pffb#VM_TLB_FLUSH_TRIGGER])
    /// @return whether hardware must be flushed: see [#forEachToFlush]
    public boolean flush(int vspaceWord, int triggerWord) {
        setup.counters().increment(ShadowCounter.FLUSHES);
        return spaces.stream().anyMatch(ShadowSpace::isStale);
    }

    /// A channel of a space is to be activated.
    ///
    /// @return whether hardware must be flushed: see [#forEachToFlush]
    public boolean prepare(ShadowSpace space) {
        return space.isStale();
    }

    /// Names the shadow directories whose translations hardware must drop before anything else
    /// runs, each once.
    ///
    /// @param action given bus addresses, usually [GpuRequests#flush]
    public void forEachToFlush(LongConsumer action) {
        for (ShadowSpace space : spaces) {
            if (space.isStale()) {
                space.stale(false);
                action.accept(space.directoryIova());
            }
        }
    }

    /// The guest may have chosen another size of big pages ([Pffb#VM_CFG]).
    public void geometryChanged() {}

    ShadowSetup setup() {
        return setup;
    }
}

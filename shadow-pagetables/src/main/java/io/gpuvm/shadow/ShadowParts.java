package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// What all shadows of one VM share.
final class ShadowParts {
    final ShadowSetup setup;
    final ShadowCounters counters;
    final ShadowArena arena;
    final Refusals refusals;
    final EntryTranslation translation;
    final GuestReader reader;
    final TrackedVram tracked;

    /// A page of a directory, and one of a table: the second is read while the first is gone
    /// through.
    final long[] directoryPage = new long[GuestReader.PAGE_WORDS];

    final long[] tablePage = new long[GuestReader.PAGE_WORDS];

    /// Tables in which writes go unseen.
    int unseenTables;

    ShadowParts(ShadowSetup setup) {
        this.setup = setup;
        counters = setup.counters();
        arena = setup.arena();
        refusals = new Refusals(setup);
        translation = new EntryTranslation(setup, refusals);
        reader = new GuestReader(setup.guestMmu().memory());
        tracked = new TrackedVram(setup.vram());
    }

    /// Whether no more is read than changes demand.
    boolean isIncremental() {
        return setup.strategy() == ShadowStrategy.INCREMENTAL;
    }

    /// Whether writes to tables in a memory are seen, so that they are read again only where they
    /// changed.
    boolean tracks(MemoryTarget target) {
        return isIncremental() && target == MemoryTarget.VRAM;
    }

    /// This side has written to guest memory.
    void onWriteBack(MemoryTarget target, long guestAddress, int width) {
        if (target == MemoryTarget.VRAM) {
            tracked.onWrite(guestAddress, width);
        }
    }
}

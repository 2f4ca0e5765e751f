package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VmArena;

/// What all shadows of one VM share.
final class ShadowParts {
    final ShadowSetup setup;
    final ShadowCounters counters;
    final VmArena arena;
    final Refusals refusals;
    final EntryTranslation translation;
    final GuestReader reader;
    final KeptPages kept;
    final TrackedVram tracked;

    /// A page of a directory, and one of a table: the second is read while the first is gone
    /// through.
    final long[] directoryPage = new long[GuestReader.PAGE_WORDS];

    final long[] tablePage = new long[GuestReader.PAGE_WORDS];

    /// Tables in which changes are not found, so that they are read again.
    int unseenTables;

    /// @param keptBytes the most that copies of guest pages may take
    ShadowParts(ShadowSetup setup, long keptBytes) {
        this.setup = setup;
        counters = setup.counters();
        arena = setup.arena();
        refusals = new Refusals(setup);
        translation = new EntryTranslation(setup, refusals);
        reader = new GuestReader(setup.guestMmu().memory());
        int keptPages = (int) (keptBytes >>> GuestReader.PAGE_SHIFT);
        kept = new KeptPages("gpuvm-kept-" + setup.vm(), keptPages);
        UnseenWrites unseen = new UnseenWrites(setup.vram(), reader, kept, counters);
        tracked = new TrackedVram(setup.vram(), reader, unseen);
    }

    /// Whether no more is read than changes demand.
    boolean isIncremental() {
        return setup.strategy() == ShadowStrategy.INCREMENTAL;
    }

    /// Whether writes to tables in a memory are seen, or found at a flush, so that tables are read
    /// again only where they changed.
    boolean tracks(MemoryTarget target) {
        return isIncremental() && target == MemoryTarget.VRAM;
    }

    /// Reads what a channel is bound with, through the copy of it if it may change unseen.
    boolean instancePage(MemoryTarget target, long guestAddress, long[] into) {
        return target == MemoryTarget.VRAM
                ? tracked.page(guestAddress, into)
                : reader.page(target, guestAddress, into);
    }

    /// What to hand to [#countShadowing] or [#countTime].
    long nowNs() {
        return setup.nanos().getAsLong();
    }

    /// Tables have been read since `startNs`.
    void countShadowing(long startNs) {
        counters.increment(ShadowCounter.SHADOWINGS);
        countTime(startNs);
    }

    /// Time has gone into shadowing since `startNs`.
    void countTime(long startNs) {
        counters.add(ShadowCounter.NANOSECONDS, nowNs() - startNs);
    }

    /// This side has written to guest memory.
    void onWriteBack(MemoryTarget target, long guestAddress, int width) {
        if (target == MemoryTarget.VRAM) {
            tracked.onWrite(guestAddress, width);
        }
    }
}

package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VmArena;

/// Parts that all shadows of one virtual machine share.
final class ShadowParts {
    final ShadowSetup setup;
    final ShadowCounters counters;
    final VmArena arena;
    final Refusals refusals;
    final EntryTranslation translation;
    final GuestReader reader;
    final KeptPages kept;
    final TrackedVram tracked;

    /// Buffer for a page of a directory; a page of a table needs another buffer, because tables are
    /// read while a directory is processed.
    final long[] directoryPage = new long[GuestReader.PAGE_WORDS];

    /// Buffer for a page of a table.
    final long[] tablePage = new long[GuestReader.PAGE_WORDS];

    /// Number of tables whose changes are not tracked, and which are therefore read again at
    /// flushes.
    int unseenTables;

    /// @param keptBytes limit on the memory for copies of guest pages
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

    /// Returns whether only changed entries are read.
    boolean isIncremental() {
        return setup.strategy() == ShadowStrategy.INCREMENTAL;
    }

    /// Returns whether writes to tables in a kind of memory are trapped, or detected at a flush, so
    /// that only the changed parts of the tables are read again.
    boolean tracks(MemoryTarget target) {
        return isIncremental() && target == MemoryTarget.VRAM;
    }

    /// Reads an instance block, or its copy if the block may change without a trap.
    boolean instancePage(MemoryTarget target, long guestAddress, long[] into) {
        return target == MemoryTarget.VRAM
                ? tracked.page(guestAddress, into)
                : reader.page(target, guestAddress, into);
    }

    /// Returns the start time for [#countShadowing] or [#countTime].
    long nowNs() {
        return setup.nanos().getAsLong();
    }

    /// Counts an update that has read tables since `startNs`.
    void countShadowing(long startNs) {
        counters.increment(ShadowCounter.SHADOWINGS);
        countTime(startNs);
    }

    /// Adds the time since `startNs` to the time of shadowing.
    void countTime(long startNs) {
        counters.add(ShadowCounter.NANOSECONDS, nowNs() - startNs);
    }

    /// Called after the host has written to guest memory.
    void onWriteBack(MemoryTarget target, long guestAddress, int width) {
        if (target == MemoryTarget.VRAM) {
            tracked.onWrite(guestAddress, width);
        }
    }
}

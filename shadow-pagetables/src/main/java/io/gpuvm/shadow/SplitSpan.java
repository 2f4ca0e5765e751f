package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// A span whose guest has chosen big pages of half the size that hardware has: two of its directory
/// entries, with two tables each, share one shadow table, of small pages.
final class SplitSpan extends ShadowSpan {
    static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_64K;

    /// Entries of the guest's directory that make one of the shadow's.
    static final int HALVES = (int) (ShadowArena.GEOMETRY.spanBytes() / GEOMETRY.spanBytes());

    private final ShadowTable shadow;
    private final TableSlot[] small = new TableSlot[HALVES];
    private final TableSlot[] big = new TableSlot[HALVES];

    SplitSpan(ShadowParts parts, ShadowSpace space) {
        shadow = new ShadowTable(parts, space, ArenaBlock.SMALL_TABLE);
        for (int half = 0; half < HALVES; half++) {
            int base = half * GEOMETRY.tableEntries(PageSize.SMALL_4K);
            MergedPages pages = new MergedPages(shadow, parts.translation, base);
            small[half] = new TableSlot(parts, shadow, pages.small);
            big[half] = new TableSlot(parts, shadow, pages.big);
        }
    }

    @Override
    boolean follow(int half, long guestEntry) {
        int sizeShift = PageDirectoryEntry.sizeShift(guestEntry);
        boolean smallPlaced =
                small[half].place(
                        PageDirectoryEntry.smallTarget(guestEntry),
                        PageDirectoryEntry.smallTable(guestEntry),
                        GEOMETRY.tableEntries(PageSize.SMALL_4K) >> sizeShift);
        boolean bigPlaced =
                big[half].place(
                        PageDirectoryEntry.bigTarget(guestEntry),
                        PageDirectoryEntry.bigTable(guestEntry),
                        GEOMETRY.tableEntries(GEOMETRY.bigPage()) >> sizeShift);
        return smallPlaced && bigPlaced;
    }

    @Override
    long directoryEntry() {
        return shadow.exists()
                ? PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, ShadowArena.TARGET, shadow.iova())
                : PageDirectoryEntry.EMPTY;
    }

    @Override
    void readUnseen() {
        for (int half = 0; half < HALVES; half++) {
            small[half].readUnseen();
            big[half].readUnseen();
        }
    }
}

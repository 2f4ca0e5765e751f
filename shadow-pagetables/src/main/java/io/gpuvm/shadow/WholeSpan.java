package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// A span whose guest has chosen the size of big pages that hardware has: each table of the guest's
/// has a shadow of the same shape.
final class WholeSpan extends ShadowSpan {
    private static final TableGeometry GEOMETRY = ShadowArena.GEOMETRY;

    private final ShadowTable smallShadow;
    private final ShadowTable bigShadow;
    private final TableSlot small;
    private final TableSlot big;
    private int sizeShift;

    WholeSpan(ShadowParts parts, ShadowSpace space) {
        smallShadow = new ShadowTable(parts, space, ArenaBlock.SMALL_TABLE);
        bigShadow = new ShadowTable(parts, space, ArenaBlock.BIG_TABLE);
        small = slot(parts, smallShadow, PageSize.SMALL_4K);
        big = slot(parts, bigShadow, GEOMETRY.bigPage());
    }

    private static TableSlot slot(ShadowParts parts, ShadowTable shadow, PageSize size) {
        return new TableSlot(parts, shadow, new SamePages(shadow, parts.translation, size));
    }

    @Override
    boolean follow(int part, long guestEntry) {
        sizeShift = PageDirectoryEntry.sizeShift(guestEntry);
        boolean smallPlaced =
                small.place(
                        PageDirectoryEntry.smallTarget(guestEntry),
                        PageDirectoryEntry.smallTable(guestEntry),
                        GEOMETRY.tableEntries(PageSize.SMALL_4K) >> sizeShift);
        boolean bigPlaced =
                big.place(
                        PageDirectoryEntry.bigTarget(guestEntry),
                        PageDirectoryEntry.bigTable(guestEntry),
                        GEOMETRY.tableEntries(GEOMETRY.bigPage()) >> sizeShift);
        return smallPlaced && bigPlaced;
    }

    @Override
    long directoryEntry() {
        long entry = PageDirectoryEntry.EMPTY;
        if (smallShadow.exists()) {
            long table = smallShadow.iova();
            entry = PageDirectoryEntry.withSmallTable(entry, ShadowArena.TARGET, table);
        }
        if (bigShadow.exists()) {
            entry = PageDirectoryEntry.withBigTable(entry, ShadowArena.TARGET, bigShadow.iova());
        }
        return entry == PageDirectoryEntry.EMPTY
                ? entry
                : PageDirectoryEntry.withSizeShift(entry, sizeShift);
    }

    @Override
    void readUnseen() {
        small.readUnseen();
        big.readUnseen();
    }
}

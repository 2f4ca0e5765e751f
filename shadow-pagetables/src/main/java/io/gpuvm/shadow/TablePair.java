package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Tables to which an entry of a guest's directory points: one of small pages and one of big pages.
final class TablePair {
    private final TableGeometry geometry;
    private final long bytes;
    private final TableSlot small;
    private final TableSlot big;

    /// @param geometry geometry of the guest's tables
    /// @param bytes length of the range to translate, from the start of the tables' addresses
    /// @param small slot for the table of small pages
    /// @param big slot for the table of big pages
    TablePair(TableGeometry geometry, long bytes, TableSlot small, TableSlot big) {
        this.geometry = geometry;
        this.bytes = bytes;
        this.small = small;
        this.big = big;
    }

    /// Follows the guest's directory entry; see [ShadowSpan#follow].
    ///
    /// @return false if a table has no shadow for lack of space
    boolean follow(long guestEntry) {
        int sizeShift = PageDirectoryEntry.sizeShift(guestEntry);
        boolean smallPlaced =
                small.place(
                        PageDirectoryEntry.smallTarget(guestEntry),
                        PageDirectoryEntry.smallTable(guestEntry),
                        entries(PageSize.SMALL_4K, sizeShift));
        boolean bigPlaced =
                big.place(
                        PageDirectoryEntry.bigTarget(guestEntry),
                        PageDirectoryEntry.bigTable(guestEntry),
                        entries(geometry.bigPage(), sizeShift));
        return smallPlaced && bigPlaced;
    }

    /// Reads again the tables whose changes are not tracked.
    void readUnseen() {
        small.readUnseen();
        big.readUnseen();
    }

    /// Returns whether both slots are empty.
    boolean isEmpty() {
        return small.isEmpty() && big.isEmpty();
    }

    private int entries(PageSize size, int sizeShift) {
        long whole = geometry.tableEntries(size) >> sizeShift;
        return (int) Math.min(whole, Math.ceilDiv(bytes, size.bytes()));
    }
}

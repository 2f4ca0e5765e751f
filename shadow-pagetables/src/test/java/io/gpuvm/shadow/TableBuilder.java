package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Driver of a guest that builds valid page tables in VRAM: a directory at the start, and tables at
/// fixed addresses.
final class TableBuilder {
    static final MemoryTarget VRAM = MemoryTarget.VRAM;
    static final long DIRECTORY = 0;

    /// Address after the directory, whose length depends on the geometry.
    static final long SMALL_TABLE = 128 << 10;

    /// Address after a full table of small pages.
    static final long BIG_TABLE = SMALL_TABLE + (256 << 10);

    private final TestGuest guest;

    TableBuilder(TestGuest guest) {
        this.guest = guest;
    }

    private TableGeometry geometry() {
        return guest.mmu.geometry();
    }

    /// Sets a directory entry.
    void directory(int index, long entry) {
        guest.word(VRAM, DIRECTORY + (long) index * PageDirectoryEntry.BYTES, entry);
    }

    /// Sets both tables of the first span.
    void tables() {
        long entry = PageDirectoryEntry.withSmallTable(PageDirectoryEntry.EMPTY, VRAM, SMALL_TABLE);
        directory(0, PageDirectoryEntry.withBigTable(entry, VRAM, BIG_TABLE));
    }

    /// Sets the entry of a small page in the first span.
    void small(long gpuVa, long entry) {
        set(SMALL_TABLE, PageSize.SMALL_4K, gpuVa, entry);
    }

    /// Sets the entry of a big page in the first span.
    void big(long gpuVa, long entry) {
        set(BIG_TABLE, geometry().bigPage(), gpuVa, entry);
    }

    private void set(long table, PageSize size, long gpuVa, long entry) {
        int index = geometry().tableIndex(size, gpuVa);
        guest.word(VRAM, table + (long) index * PageTableEntry.BYTES, entry);
    }
}

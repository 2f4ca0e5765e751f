package io.gpuvm.shadow;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.lang.foreign.Arena;

/// Address space of a million pages in a guest's VRAM, and its shadow.
final class MappedSpace implements AutoCloseable {
    static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    static final int MAPPED_PAGES = 1_000_000;

    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final long VRAM_BYTES = 16 << 20;
    private static final long ARENA_BYTES = 64 << 20;
    private static final long ARENA_IOVA = 1L << 39;

    /// Distance in pages between successive changes by [#changeOne()], which are therefore not
    /// adjacent in memory.
    private static final int STRIDE = 611_953;

    private final Arena memory = Arena.ofShared();
    private final VramHomes homes;
    private final PhysicalMemory guest;
    private final TableGeometry geometry;
    private final int tableEntries;
    private final VmArena arena;
    private final ShadowSpaces spaces;
    private final ShadowSpace space;
    private int page;
    private long flushed;

    /// Maps the pages and shadows them.
    MappedSpace(ShadowStrategy strategy, TableGeometry geometry) {
        this.geometry = geometry;
        tableEntries = geometry.tableEntries(PageSize.SMALL_4K);
        homes = new VramHomes(memory.allocate(VRAM_BYTES, PAGE_BYTES));
        guest = new PhysicalMemory(homes.pages(), MappedSpace::locateNothing);
        for (int table = 0; table < tables(); table++) {
            long entry =
                    PageDirectoryEntry.withSmallTable(
                            PageDirectoryEntry.EMPTY, VRAM, entryAddress(table * tableEntries));
            guest.write(VRAM, (long) table * PageDirectoryEntry.BYTES, Long.BYTES, entry);
        }
        for (int i = 0; i < MAPPED_PAGES; i++) {
            guest.write(VRAM, entryAddress(i), Long.BYTES, entry(i));
        }
        Mmu mmu = new Mmu(guest);
        mmu.bigPagesOf64KiB(geometry == TableGeometry.BIG_PAGES_64K);
        arena = new VmArena("gpuvm-jmh", ARENA_IOVA, ARENA_BYTES);
        spaces =
                new ShadowSpaces(
                        new ShadowSetup(
                                "jmh",
                                mmu,
                                new VramShare(0, VRAM_BYTES),
                                new IovaShare(0, VRAM_BYTES),
                                arena,
                                strategy,
                                new ShadowCounters(),
                                System::nanoTime));
        space = spaces.acquire(VRAM, 0, (long) MAPPED_PAGES * PAGE_BYTES - 1);
        spaces.prepare(space);
        spaces.forEachToFlush(iova -> flushed ^= iova);
    }

    /// Returns the length of the guest's tables, which are contiguous.
    long tableBytes() {
        return (long) tables() * tableEntries * PageTableEntry.BYTES;
    }

    /// Exposes the guest's tables and directory to the guest as plain memory.
    void expose() {
        int window = homes.open(memory.allocate(VRAM_BYTES, PAGE_BYTES));
        for (int at = 0; at < VRAM_BYTES / PAGE_BYTES; at++) {
            spaces.expose(at * PAGE_BYTES);
            homes.move(at, window, at);
        }
    }

    /// Returns the number of pages that a flush must compare after [#expose()].
    int exposedPages() {
        long directory = (long) tables() * PageDirectoryEntry.BYTES;
        return (int) (Math.ceilDiv(directory, PAGE_BYTES) + tableBytes() / PAGE_BYTES);
    }

    /// Changes an entry, at a stride of many pages from the previous entry.
    ///
    /// @return address of the entry
    long changeOne() {
        page = (page + STRIDE) % MAPPED_PAGES;
        return change(page);
    }

    /// Changes the next entry.
    ///
    /// @return address of the entry
    long changeNext() {
        page = (page + 1) % MAPPED_PAGES;
        return change(page);
    }

    /// Reports the write of an entry, as a trap does.
    void seen(long guestVram) {
        spaces.onVramWrite(guestVram, Long.BYTES);
    }

    /// Flushes as the guest does, and activates a channel.
    long follow() {
        spaces.flush(0, Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
        if (spaces.prepare(space)) {
            spaces.forEachToFlush(iova -> flushed ^= iova);
        }
        return flushed;
    }

    @Override
    public void close() {
        spaces.close();
        arena.close();
        memory.close();
    }

    private int tables() {
        return Math.ceilDiv(MAPPED_PAGES, tableEntries);
    }

    private long change(int changedPage) {
        long address = entryAddress(changedPage);
        long entry = guest.read(VRAM, address, Long.BYTES);
        long changed =
                PageTableEntry.isReadOnly(entry) ? entry(changedPage) : readOnly(changedPage);
        guest.write(VRAM, address, Long.BYTES, changed);
        return address;
    }

    private long entryAddress(int ofPage) {
        return geometry.directoryBytes() + (long) ofPage * PageTableEntry.BYTES;
    }

    private static long entry(int ofPage) {
        return PageTableEntry.of(VRAM, ofPage * PAGE_BYTES % VRAM_BYTES);
    }

    private static long readOnly(int ofPage) {
        return PageTableEntry.readOnly(entry(ofPage));
    }

    private static boolean locateNothing(long iova, HostSpan span) {
        span.nothing();
        return false;
    }
}

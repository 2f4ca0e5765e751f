package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Page-table entries of one address space, written in place in the tables of its [TableDirectory].
///
/// The GPU may read an entry at any time, so each entry is written by one store. The caller that
/// changes entries must request a flush. Work is bounded: a call stops at its limit, and the next
/// call continues. Confined to the poller.
final class PageTables {
    /// Reason why a call did less than requested.
    enum Stop {
        /// Completion of the call, or its limit.
        NONE,
        /// Mapped page in the range.
        MAPPED,
        /// No room in the arena for another table.
        NO_MEMORY,
        /// Big page whose split would exceed the limit of pages.
        TOO_MANY
    }

    /// Cost of a new table in [#map] and [#unmap], in entries: the number of entries that can be
    /// written in the time it takes to zero the table.
    static final int TABLE_COST = 1024;

    private static final TableGeometry GEOMETRY = VmArena.GEOMETRY;
    private static final PageSize SMALL = PageSize.SMALL_4K;
    private static final PageSize BIG = GEOMETRY.bigPage();
    private static final int PARTS = (int) (BIG.bytes() / SMALL.bytes());
    private static final long SMALL_STEP = step(SMALL);
    private static final long BIG_STEP = step(BIG);
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private final TableDirectory directory;

    private Stop stop = Stop.NONE;
    private int work;
    private long cleared;

    /// Upper limit of [#present()] during an unmap.
    private long mostPresent;

    /// Creates tables without a directory; [#open] allocates it.
    PageTables(VmArena arena) {
        memory = arena.memory();
        directory = new TableDirectory(arena);
    }

    /// Creates an empty address space, on first use or after [#close()].
    ///
    /// @param retired receives tables that leave the directory
    /// @return false if the arena has no room for the directory
    boolean open(RetiredTables retired) {
        return directory.open(retired);
    }

    /// Returns the bus address of the directory.
    long directoryIova() {
        return directory.iova();
    }

    /// Returns the number of entries that are present: one for each page of either size.
    long present() {
        return directory.present();
    }

    /// Returns the reason why the last call did less than requested.
    Stop stop() {
        return stop;
    }

    /// Returns the cost of the last call, in entries read or written.
    int work() {
        return work;
    }

    /// Returns the number of entries that all calls of [#unmap] together have cleared.
    long cleared() {
        return cleared;
    }

    /// Maps contiguous memory.
    ///
    /// @param gpuVa start address, a multiple of 4 KiB (with [PageChoice#BIG], 128 KiB)
    /// @param bytes length, a multiple of the same unit; within the address space
    /// @param entry entry of the first small page: [PageTableEntry#of] its address, with its rights
    /// @param limit maximum number of entries to write, at least 1
    /// @return number of bytes mapped, from `gpuVa` on; if less than `bytes`, [#stop()] is the
    ///   reason
    long map(long gpuVa, long bytes, long entry, PageChoice choice, int limit) {
        begin();
        long done = 0;
        while (done < bytes && work < limit) {
            long at = gpuVa + done;
            long word = entry + done / SMALL.bytes() * SMALL_STEP;
            long left = Math.min(bytes - done, GEOMETRY.spanBytes() - intoSpan(at));
            boolean big =
                    choice == PageChoice.BIG || choice == PageChoice.AUTO && isBig(at, word, left);
            int written =
                    big
                            ? mapBig(at, left, word, limit - work)
                            : mapSmall(at, left, word, choice, limit - work);
            work += written;
            done += written * (big ? BIG : SMALL).bytes();
            directory.retireEmpty(GEOMETRY.directoryIndex(at));
            if (stop != Stop.NONE) {
                break;
            }
        }
        return done;
    }

    /// Unmaps a range. Pages that are not mapped are skipped; the part of a big page that lies
    /// outside the range remains mapped as small pages.
    ///
    /// @param gpuVa start address, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB; within the address space
    /// @param limit approximate number of entries to read, at least 1
    /// @param room number of pages by which [#present()] may grow
    /// @return number of bytes unmapped, from `gpuVa` on; if less than `bytes`, [#stop()] is the
    ///   reason
    long unmap(long gpuVa, long bytes, int limit, long room) {
        begin();
        mostPresent = present() + room;
        long done = 0;
        while (done < bytes && work < limit && stop == Stop.NONE) {
            long at = gpuVa + done;
            int index = GEOMETRY.directoryIndex(at);
            long left = Math.min(bytes - done, GEOMETRY.spanBytes() - intoSpan(at));
            work++;
            if (directory.smallPresent(index) + directory.bigPresent(index) == 0) {
                done += left;
            } else {
                done += unmapPiece(index, at, left, limit - work);
                directory.retireEmpty(index);
            }
        }
        return done;
    }

    /// Releases all tables. Called after the GPU has flushed its TLBs, when no channel uses this
    /// address space.
    void close() {
        directory.close();
    }

    private void begin() {
        stop = Stop.NONE;
        work = 0;
    }

    private static boolean isBig(long gpuVa, long entry, long bytes) {
        return bytes >= BIG.bytes()
                && BIG.offsetIn(gpuVa | PageTableEntry.physicalAddress(entry)) == 0;
    }

    private int mapBig(long gpuVa, long bytes, long entry, int limit) {
        int index = GEOMETRY.directoryIndex(gpuVa);
        if (directory.big(index) == VmArena.NONE && !addTable(index, BIG)) {
            return 0;
        }
        int count = (int) Math.min(bytes / BIG.bytes(), limit);
        long slot = slot(directory.big(index), BIG, gpuVa);
        long word = entry;
        int written = 0;
        while (written < count
                && isFree(slot)
                && isFreeOfSmall(index, gpuVa + written * BIG.bytes())) {
            memory.set(WORD, slot, word);
            slot += PageTableEntry.BYTES;
            word += BIG_STEP;
            written++;
        }
        stop = written < count ? Stop.MAPPED : Stop.NONE;
        directory.countBig(index, written);
        return written;
    }

    /// Maps small pages, up to the first address at which a big page can begin, if the choice
    /// allows big pages.
    private int mapSmall(long gpuVa, long bytes, long entry, PageChoice choice, int limit) {
        int index = GEOMETRY.directoryIndex(gpuVa);
        if (directory.small(index) == VmArena.NONE && !addTable(index, SMALL)) {
            return 0;
        }
        int count = (int) Math.min(smallBytes(gpuVa, bytes, entry, choice) / SMALL.bytes(), limit);
        int allowed = directory.bigPresent(index) == 0 ? count : freeOfBig(index, gpuVa, count);
        long slot = slot(directory.small(index), SMALL, gpuVa);
        long word = entry;
        int written = 0;
        while (written < allowed && isFree(slot)) {
            memory.set(WORD, slot, word);
            slot += PageTableEntry.BYTES;
            word += SMALL_STEP;
            written++;
        }
        stop = written < count ? Stop.MAPPED : Stop.NONE;
        directory.countSmall(index, written);
        return written;
    }

    private static long smallBytes(long gpuVa, long bytes, long entry, PageChoice choice) {
        boolean canBeBig = BIG.offsetIn(gpuVa ^ PageTableEntry.physicalAddress(entry)) == 0;
        if (choice == PageChoice.SMALL || !canBeBig || bytes < BIG.bytes()) {
            return bytes;
        }
        long toBig = -gpuVa & BIG.bytes() - 1;
        return bytes - toBig < BIG.bytes() ? bytes : toBig;
    }

    /// Returns the number of small pages at the start of a range that no mapped big page covers.
    private int freeOfBig(int index, long gpuVa, int count) {
        long end = gpuVa + count * SMALL.bytes();
        for (long at = gpuVa; at < end; at = nextBig(at)) {
            if (!isFree(slot(directory.big(index), BIG, at))) {
                return (int) ((at - gpuVa) / SMALL.bytes());
            }
        }
        return count;
    }

    private boolean isFreeOfSmall(int index, long gpuVa) {
        if (directory.smallPresent(index) == 0) {
            return true;
        }
        long slot = slot(directory.small(index), SMALL, gpuVa);
        for (int part = 0; part < PARTS; part++) {
            if (!isFree(slot + (long) part * PageTableEntry.BYTES)) {
                return false;
            }
        }
        return true;
    }

    /// Unmaps within one span: a whole big page and the small pages in its range, or small pages up
    /// to the next big-page boundary.
    private long unmapPiece(int index, long gpuVa, long bytes, int limit) {
        if (directory.bigPresent(index) == 0) {
            int pages = (int) Math.min(bytes / SMALL.bytes(), Math.max(1, limit));
            directory.countSmall(index, -clear(directory.small(index), SMALL, gpuVa, pages));
            work += pages;
            return pages * SMALL.bytes();
        }
        long left = Math.min(bytes, nextBig(gpuVa) - gpuVa);
        if (left < BIG.bytes()
                && !isFree(slot(directory.big(index), BIG, gpuVa))
                && !split(index, gpuVa)) {
            return 0;
        }
        if (left == BIG.bytes()) {
            directory.countBig(index, -clear(directory.big(index), BIG, gpuVa, 1));
        }
        if (directory.smallPresent(index) != 0) {
            int pages = (int) (left / SMALL.bytes());
            directory.countSmall(index, -clear(directory.small(index), SMALL, gpuVa, pages));
            work += pages;
        }
        work++;
        return left;
    }

    /// @return number of entries that were present
    private int clear(long table, PageSize size, long gpuVa, int count) {
        long slot = slot(table, size, gpuVa);
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (!isFree(slot)) {
                memory.set(WORD, slot, PageTableEntry.NOT_PRESENT);
                found++;
            }
            slot += PageTableEntry.BYTES;
        }
        cleared += found;
        return found;
    }

    /// Splits a big page into small pages, which are written before the big page is cleared and map
    /// the same memory.
    private boolean split(int index, long gpuVa) {
        if (mostPresent - present() < PARTS - 1) {
            stop = Stop.TOO_MANY;
            return false;
        }
        if (directory.small(index) == VmArena.NONE && !addTable(index, SMALL)) {
            return false;
        }
        long big = slot(directory.big(index), BIG, gpuVa);
        long small = slot(directory.small(index), SMALL, gpuVa & -BIG.bytes());
        long word = memory.get(WORD, big);
        for (int part = 0; part < PARTS; part++) {
            memory.set(WORD, small + (long) part * PageTableEntry.BYTES, word + part * SMALL_STEP);
        }
        memory.set(WORD, big, PageTableEntry.NOT_PRESENT);
        directory.countBig(index, -1);
        directory.countSmall(index, PARTS);
        work += PARTS;
        return true;
    }

    private boolean addTable(int index, PageSize size) {
        if (!directory.add(index, size)) {
            stop = Stop.NO_MEMORY;
            return false;
        }
        work += TABLE_COST;
        return true;
    }

    private boolean isFree(long slot) {
        return memory.get(WORD, slot) == PageTableEntry.NOT_PRESENT;
    }

    private static long slot(long table, PageSize size, long gpuVa) {
        return table + (long) GEOMETRY.tableIndex(size, gpuVa) * PageTableEntry.BYTES;
    }

    private static long intoSpan(long gpuVa) {
        return gpuVa & GEOMETRY.spanBytes() - 1;
    }

    private static long nextBig(long gpuVa) {
        return (gpuVa & -BIG.bytes()) + BIG.bytes();
    }

    /// Returns the difference of the entries of two adjacent pages; the address never overflows its
    /// field.
    private static long step(PageSize size) {
        return PageTableEntry.of(MemoryTarget.VRAM, size.bytes())
                - PageTableEntry.of(MemoryTarget.VRAM, 0);
    }
}

package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Page tables that map memory outside the guest's memory.
final class TableAttacks {
    private static final int PAGES = 1024;
    private static final int LINE_BYTES = 64;
    private static final int PAGE = (int) PageSize.SMALL_4K.bytes();

    /// Target of reads, filled with [#UNTOUCHED] before each read.
    private static final long BUFFER = HostileGuest.DATA;

    private static final byte UNTOUCHED = (byte) 0xa5;
    private static final byte OURS = 0x5a;
    private static final int OUR_PAGE_INDEX = 0;

    private static final List<MemoryTarget> BUS =
            List.of(MemoryTarget.SYSTEM_COHERENT, MemoryTarget.SYSTEM_NONCOHERENT);

    private final HostileGuest guest;
    private final Victim neighbour;

    TableAttacks(HostileGuest guest, Victim neighbour) {
        this.guest = guest;
        this.neighbour = neighbour;
    }

    /// Maps small and big pages of VRAM beyond the guest's share.
    void vramBeyond() {
        for (MemoryTarget where : List.of(MemoryTarget.VRAM, MemoryTarget.SYSTEM_COHERENT)) {
            Tables tables = new Tables(guest, where);
            HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
            long step = neighbour.vramBytes() / PAGES & -PageSize.SMALL_4K.bytes();
            spread(tables, MemoryTarget.VRAM, neighbour.vram(), step);
            sweep(channel, "VRAM of a neighbour");
            big(tables, MemoryTarget.VRAM, neighbour.vram());
            touch(channel, Tables.BIG_VA, "a big page of a neighbour's VRAM");
        }
    }

    /// Maps pages of system memory beyond the guest's memory.
    void ramBeyond() {
        for (MemoryTarget where : List.of(MemoryTarget.VRAM, MemoryTarget.SYSTEM_COHERENT)) {
            Tables tables = new Tables(guest, where);
            HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
            for (MemoryTarget target : BUS) {
                spread(tables, target, neighbour.ram(), HostileGuest.MIB);
                sweep(channel, "memory of a neighbour");
                big(tables, target, neighbour.ram());
                touch(channel, Tables.BIG_VA, "a big page of a neighbour's memory");
            }
        }
    }

    /// Maps the backend's shadow structures of a neighbour and of this guest. Write access to these
    /// structures would give access to all memory.
    void structures() {
        Tables tables = new Tables(guest, MemoryTarget.VRAM);
        HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
        for (long arena : new long[] {neighbour.arena(), neighbour.own()}) {
            spread(tables, MemoryTarget.SYSTEM_COHERENT, arena, PAGE);
            sweep(channel, "shadow structures");
        }
    }

    /// Creates page tables that map themselves, and writes them with the GPU.
    void selfReference() {
        for (MemoryTarget where : List.of(MemoryTarget.VRAM, MemoryTarget.SYSTEM_COHERENT)) {
            Tables tables = new Tables(guest, where);
            tables.directoryEntry(
                    TableGeometry.BIG_PAGES_128K.directoryEntries() - 1, tables.small(0));
            tables.flush();
            HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
            long tablesVa = where == MemoryTarget.VRAM ? Tables.VRAM_VA : 0;
            long entry = PageTableEntry.of(MemoryTarget.VRAM, neighbour.vram());
            for (int page = 0; page < 4; page++) {
                long slot = tablesVa + Tables.smallSlot(page);
                channel.writeWord(slot, (int) (entry + page * (entryOf(PAGE) - entryOf(0))));
                channel.writeWord(slot + Integer.BYTES, (int) (entry >>> Integer.SIZE));
            }
            tables.flushAndWait();
            touch(channel, Tables.SMALL_VA, "a page that the GPU mapped in its own tables");
        }
    }

    /// Changes a page table during and after the backend's reads: in memory, and in mapped VRAM.
    void race() {
        race(MemoryTarget.SYSTEM_COHERENT, guest.ram(), 0);
        race(MemoryTarget.VRAM, guest.mapped().pramin(), HostileGuest.TABLES);
    }

    /// @param memory memory of the tables
    /// @param base physical address of the start of the memory
    private void race(MemoryTarget where, MemorySegment memory, long base) {
        Tables tables = new Tables(guest, where);
        HostileChannel channel = new HostileChannel(guest, tables, 0).requireWorking();
        guest.ram().asSlice(HostileGuest.DATA + PAGE, PAGE).fill(OURS);
        long ours = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, HostileGuest.DATA + PAGE);
        long theirs = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, neighbour.ram());
        tables.smallEntry(OUR_PAGE_INDEX, ours);
        tables.flushAndWait();
        tables.smallEntry(OUR_PAGE_INDEX, theirs);
        expectOursOrNothing(channel, "an entry that changed after the flush");

        long slot = Tables.smallSlot(OUR_PAGE_INDEX) - base;
        try (Flipping _ = new Flipping(memory, slot, ours, theirs)) {
            for (int i = 0; i < 20; i++) {
                tables.flushAndWait();
                expectOursOrNothing(channel, "an entry that changes continuously");
            }
        }
    }

    private void expectOursOrNothing(HostileChannel channel, String what) {
        fillBuffer();
        channel.copy(Tables.SMALL_VA, 0, BUFFER, 0, LINE_BYTES, 1);
        byte first = guest.ram().get(ValueLayout.JAVA_BYTE, BUFFER);
        for (int i = 0; i < LINE_BYTES; i++) {
            byte value = guest.ram().get(ValueLayout.JAVA_BYTE, BUFFER + i);
            if (value != first || value != OURS && value != UNTOUCHED) {
                guest.found("the GPU used %s: byte=%d, value=%#x".formatted(what, i, value));
                return;
            }
        }
    }

    /// Fills the table of small pages with entries for addresses at equal distances.
    private static void spread(Tables tables, MemoryTarget target, long first, long step) {
        for (int page = 0; page < PAGES; page++) {
            long address = first + page * step & TableGeometry.VA_MASK;
            tables.smallEntry(page, PageTableEntry.of(target, address));
        }
        tables.flushAndWait();
    }

    private static void big(Tables tables, MemoryTarget target, long address) {
        tables.bigEntry(0, PageTableEntry.of(target, address));
        tables.flushAndWait();
    }

    /// Writes to all pages, then reads all pages, then accesses a few single pages.
    private void sweep(HostileChannel channel, String what) {
        if (channel.copy(BUFFER, 0, Tables.SMALL_VA, PAGE, LINE_BYTES, PAGES)) {
            guest.found(what + " written, all pages");
        }
        fillBuffer();
        channel.copy(Tables.SMALL_VA, PAGE, BUFFER, LINE_BYTES, LINE_BYTES, PAGES);
        expectBufferUntouched(what);
        for (int page : new int[] {1, PAGES / 2, PAGES - 1}) {
            touch(channel, Tables.SMALL_VA + (long) page * PAGE, what);
        }
    }

    private void touch(HostileChannel channel, long gpuVa, String what) {
        if (channel.copy(BUFFER, 0, gpuVa, 0, LINE_BYTES, 1)) {
            guest.found("%s written at %#x".formatted(what, gpuVa));
        }
        fillBuffer();
        if (channel.copy(gpuVa, 0, BUFFER, 0, LINE_BYTES, 1)) {
            guest.found("%s read at %#x".formatted(what, gpuVa));
        }
        expectBufferUntouched(what);
    }

    private void fillBuffer() {
        guest.ram().asSlice(BUFFER, (long) PAGES * LINE_BYTES).fill(UNTOUCHED);
        // The guest's own page follows the first page.
        guest.ram().asSlice(BUFFER + PAGE, PAGE).fill(OURS);
    }

    private void expectBufferUntouched(String what) {
        for (int i = 0; i < PAGE; i++) {
            byte value = guest.ram().get(ValueLayout.JAVA_BYTE, BUFFER + i);
            if (value != UNTOUCHED) {
                guest.found("%s read: byte=%d, value=%#x".formatted(what, i, value));
                return;
            }
        }
    }

    private static long entryOf(long vram) {
        return PageTableEntry.of(MemoryTarget.VRAM, vram);
    }
}

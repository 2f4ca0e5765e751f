package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;

/// Address space of a hostile guest: the guest's own memory, mapped linearly, and tables for
/// entries with addresses of foreign memory.
///
/// ```text
///  VA    0     guest memory, linear, 8 MiB   (so that the GPU can write the tables)
///       32 MiB VRAM, linear, 8 MiB
///      128     SMALL: a table of small pages    256 MiB   BIG: a table of big pages
/// ```
final class Tables {
    static final long VRAM_VA = 32 * HostileGuest.MIB;
    static final long SMALL_VA = TableGeometry.BIG_PAGES_128K.spanBytes();
    static final long BIG_VA = 2 * SMALL_VA;

    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;
    private static final long OWN_BYTES = 8 * HostileGuest.MIB;
    private static final long OWN_TABLE = GEOMETRY.directoryBytes();
    private static final long SMALL_TABLE = OWN_TABLE + GEOMETRY.tableBytes(PageSize.SMALL_4K);
    private static final long BIG_TABLE = SMALL_TABLE + GEOMETRY.tableBytes(PageSize.SMALL_4K);

    private final HostileGuest guest;
    private final MemoryTarget where;

    /// Writes the tables.
    ///
    /// @param where memory of the tables
    Tables(HostileGuest guest, MemoryTarget where) {
        this.guest = guest;
        this.where = where;
        show(0, MemoryTarget.SYSTEM_COHERENT);
        show(VRAM_VA, MemoryTarget.VRAM);
        directoryEntry(0, small(OWN_TABLE));
        directoryEntry(GEOMETRY.directoryIndex(SMALL_VA), small(SMALL_TABLE));
        directoryEntry(
                GEOMETRY.directoryIndex(BIG_VA),
                PageDirectoryEntry.withBigTable(
                        PageDirectoryEntry.EMPTY, where, HostileGuest.TABLES + BIG_TABLE));
    }

    /// Writes an entry of the directory.
    void directoryEntry(int index, long entry) {
        guest.write(where, HostileGuest.TABLES + (long) index * PageDirectoryEntry.BYTES, entry);
    }

    /// Returns a directory entry for a table of small pages.
    ///
    /// @param offset offset of the table from the start of the tables
    long small(long offset) {
        return PageDirectoryEntry.withSmallTable(
                PageDirectoryEntry.EMPTY, where, HostileGuest.TABLES + offset);
    }

    /// Writes entry `index` of the table at [#SMALL_VA].
    void smallEntry(int index, long entry) {
        guest.write(where, smallSlot(index), entry);
    }

    /// Returns the physical address of entry `index` of the table at [#SMALL_VA].
    static long smallSlot(int index) {
        return HostileGuest.TABLES + SMALL_TABLE + (long) index * PageTableEntry.BYTES;
    }

    /// Writes entry `index` of the table at [#BIG_VA].
    void bigEntry(int index, long entry) {
        long slot = HostileGuest.TABLES + BIG_TABLE + (long) index * PageTableEntry.BYTES;
        guest.write(where, slot, entry);
    }

    /// Writes the address of this space's directory to an instance block.
    void describe(InstanceBlock instance) {
        instance.directory(where, HostileGuest.TABLES).limit(TableGeometry.VA_MASK);
    }

    /// Requests a flush without waiting for its end.
    void flush() {
        guest.write(
                Pffb.VM_TLB_FLUSH_VSPACE,
                (int) Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.ofBytes(HostileGuest.TABLES)
                        | Pffb.VM_TLB_FLUSH_VSPACE_TARGET.of(where.pointerCode()));
        guest.write(
                Pffb.VM_TLB_FLUSH_TRIGGER,
                Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask() | Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
    }

    /// Requests a flush and waits for its end.
    void flushAndWait() {
        flush();
        long deadlineNs = System.nanoTime() + Deadlines.ANSWER_NS;
        while (!Pffb.VM_CFG_FLUSH_DONE.isSet(guest.read(Pffb.VM_CFG))) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "no answer to the flush, limit=%d ns".formatted(Deadlines.ANSWER_NS));
            }
        }
    }

    private void show(long gpuVa, MemoryTarget target) {
        for (long into = 0; into < OWN_BYTES; into += PageSize.SMALL_4K.bytes()) {
            int index = GEOMETRY.tableIndex(PageSize.SMALL_4K, gpuVa + into);
            guest.write(
                    where,
                    HostileGuest.TABLES + OWN_TABLE + (long) index * PageTableEntry.BYTES,
                    PageTableEntry.of(target, into));
        }
    }
}

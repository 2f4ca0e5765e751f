package io.gpuvm.gf100.mmu;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Entry of a page directory: location of the two tables of a span. The functions encode and decode
/// the 64-bit word.
///
/// ```text
///  63                     36 35 34 33 32 31                      4 3  2 1  0
///  +------------------------+--+--+-----+-------------------------+----+----+
///  | small table, bytes>>12 |VB|VS| tgt | big table, bytes >> 12  |size| tgt|
///  +------------------------+--+--+-----+-------------------------+----+----+
///   VB, VS: big, small table is volatile         tgt: 0 no table, 1 VRAM, 2, 3 system
/// ```
///
/// Sources: envytools `rnndb/memory/gf100_vm.xml`; `nvkm/subdev/mmu/vmmgf100.c`.
public final class PageDirectoryEntry {
    /// Size of an entry.
    public static final int BYTES = Long.BYTES;

    /// Entry without a table.
    public static final long EMPTY = 0;

    private static final BitField BIG_TARGET = bits(1, 0);
    private static final BitField SIZE = bits(3, 2);
    private static final BitField BIG_TABLE = bits(31, 4).scaledBy(12);
    private static final BitField SMALL_TARGET = bits(33, 32);
    private static final BitField SMALL_VOLATILE = bit(34);
    private static final BitField BIG_VOLATILE = bit(35);
    private static final BitField SMALL_TABLE = bits(63, 36).scaledBy(12);

    private PageDirectoryEntry() {}

    /// Returns the memory that contains the table of big pages; null if there is no such table.
    public static MemoryTarget bigTarget(long entry) {
        return MemoryTarget.ofPde((int) BIG_TARGET.get(entry));
    }

    /// Returns the physical address of the table of big pages.
    public static long bigTable(long entry) {
        return BIG_TABLE.bytes(entry);
    }

    /// Returns the memory that contains the table of small pages; null if there is no such table.
    public static MemoryTarget smallTarget(long entry) {
        return MemoryTarget.ofPde((int) SMALL_TARGET.get(entry));
    }

    /// Returns the physical address of the table of small pages.
    public static long smallTable(long entry) {
        return SMALL_TABLE.bytes(entry);
    }

    /// Returns the size shift of the tables, which translate only the first `span >> sizeShift`
    /// bytes.
    public static int sizeShift(long entry) {
        return (int) SIZE.get(entry);
    }

    /// Returns `entry` with a table of big pages.
    public static long withBigTable(long entry, MemoryTarget target, long physicalAddress) {
        long word = BIG_TARGET.with(entry, target.pdeCode());
        word = BIG_VOLATILE.with(word, target == MemoryTarget.SYSTEM_COHERENT ? 1 : 0);
        return BIG_TABLE.with(word, physicalAddress >>> BIG_TABLE.scale());
    }

    /// Returns `entry` with a table of small pages.
    public static long withSmallTable(long entry, MemoryTarget target, long physicalAddress) {
        long word = SMALL_TARGET.with(entry, target.pdeCode());
        word = SMALL_VOLATILE.with(word, target == MemoryTarget.SYSTEM_COHERENT ? 1 : 0);
        return SMALL_TABLE.with(word, physicalAddress >>> SMALL_TABLE.scale());
    }

    /// Returns `entry` without a table of big pages.
    public static long withoutBigTable(long entry) {
        return BIG_TABLE.with(BIG_VOLATILE.with(BIG_TARGET.with(entry, 0), 0), 0);
    }

    /// Returns `entry` without a table of small pages.
    public static long withoutSmallTable(long entry) {
        return SMALL_TABLE.with(SMALL_VOLATILE.with(SMALL_TARGET.with(entry, 0), 0), 0);
    }

    /// Returns `entry` with the given size shift of its tables.
    public static long withSizeShift(long entry, int sizeShift) {
        return SIZE.with(entry, sizeShift);
    }
}

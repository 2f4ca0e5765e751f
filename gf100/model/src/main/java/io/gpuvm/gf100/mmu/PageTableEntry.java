package io.gpuvm.gf100.mmu;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Entry of a page table, in the same format for small and big pages. The functions encode and
/// decode the 64-bit word.
///
/// ```text
///  63 61 60        44 43     36 35 34 33 32 31                          4  3  2  1  0
///  +----+------------+---------+--+-----+--+-----------------------------+--+--+--+--+
///  |    | compr. tag |  kind   |  | tgt |V | physical address, bytes>>12 |E |RO|P |ok|
///  +----+------------+---------+--+-----+--+-----------------------------+--+--+--+--+
///   V volatile   E encrypted   RO read only   P privileged accesses only   ok present
///   tgt: 0 VRAM, 1 peer, 2 coherent, 3 non-coherent system memory
/// ```
///
/// Sources: envytools `rnndb/memory/gf100_vm.xml`; `nvkm/subdev/mmu/vmmgf100.c`.
public final class PageTableEntry {
    /// Size of an entry.
    public static final int BYTES = Long.BYTES;

    /// Entry without a translation.
    public static final long NOT_PRESENT = 0;

    /// Storage kind of plain, byte-linear memory.
    public static final int KIND_PITCH = 0;

    private static final BitField PRESENT = bit(0);
    private static final BitField PRIVILEGED = bit(1);
    private static final BitField READ_ONLY = bit(2);
    private static final BitField ADDRESS = bits(31, 4).scaledBy(12);
    private static final BitField VOLATILE = bit(32);
    private static final BitField TARGET = bits(34, 33);
    private static final BitField KIND = bits(43, 36);
    private static final BitField COMPRESSION_TAG = bits(60, 44);

    private PageTableEntry() {}

    /// Returns a present entry that allows all reads and writes.
    ///
    /// @param physicalAddress address in bytes, a multiple of the page size
    public static long of(MemoryTarget target, long physicalAddress) {
        long word = PRESENT.of(1L) | TARGET.of((long) target.pteCode());
        word |= VOLATILE.of(target == MemoryTarget.SYSTEM_COHERENT ? 1L : 0L);
        return ADDRESS.with(word, physicalAddress >>> ADDRESS.scale());
    }

    /// Returns `entry`, changed to refuse writes.
    public static long readOnly(long entry) {
        return READ_ONLY.with(entry, 1);
    }

    /// Returns `entry`, changed to refuse unprivileged accesses.
    public static long privileged(long entry) {
        return PRIVILEGED.with(entry, 1);
    }

    /// Returns `entry` with the given storage kind.
    public static long withKind(long entry, int kind) {
        return KIND.with(entry, kind);
    }

    /// Returns `entry` with the given line of compression tags.
    public static long withCompressionTag(long entry, int line) {
        return COMPRESSION_TAG.with(entry, line);
    }

    public static boolean isPresent(long entry) {
        return PRESENT.isSet(entry);
    }

    public static boolean isPrivileged(long entry) {
        return PRIVILEGED.isSet(entry);
    }

    public static boolean isReadOnly(long entry) {
        return READ_ONLY.isSet(entry);
    }

    public static boolean isVolatile(long entry) {
        return VOLATILE.isSet(entry);
    }

    /// Returns the memory that contains the page.
    public static MemoryTarget target(long entry) {
        return MemoryTarget.ofPte((int) TARGET.get(entry));
    }

    /// Returns the physical address of the page: an offset in VRAM or an address on the host's bus.
    public static long physicalAddress(long entry) {
        return ADDRESS.bytes(entry);
    }

    /// Returns the storage kind: the layout of the memory. [#KIND_PITCH] is byte-linear.
    public static int kind(long entry) {
        return (int) KIND.get(entry);
    }

    public static int compressionTag(long entry) {
        return (int) COMPRESSION_TAG.get(entry);
    }
}

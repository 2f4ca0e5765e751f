package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Layout of a ring's entries.
///
/// Entry number n of the unbounded sequence lies in slot n mod (number of slots). The entry's first
/// word contains the stamp n + 1 mod 2^32, which no other entry of that slot had within the last
/// 2^32 entries. Unwritten memory consists of zeros; no entry of the first lap has the stamp 0.
final class RingLayout {
    static final ValueLayout.OfInt U32 = WireType.U32;
    static final VarHandle U64 = WireType.U64.varHandle();

    private static final long STAMP_MASK = 0xffff_ffffL;

    private RingLayout() {}

    static long slot(long ring, long position, long mask) {
        return ring + (position & mask) * RingEntry.BYTES;
    }

    /// Returns the first word of an entry.
    static long word(long position, int tag) {
        return (long) tag << Integer.SIZE | stamp(position);
    }

    static long stamp(long position) {
        return position + 1 & STAMP_MASK;
    }

    static long stampOf(long word) {
        return word & STAMP_MASK;
    }

    static void check(MemorySegment memory, long ring, int entries, long head) {
        if (Integer.bitCount(entries) != 1) {
            throw new IllegalArgumentException(
                    "entries=%d, expected a power of two".formatted(entries));
        }
        if ((ring & RingEntry.BYTES - 1) != 0 || (head & Long.BYTES - 1) != 0) {
            throw new IllegalArgumentException(
                    "ring=%#x head=%#x, expected multiples of %d and %d"
                            .formatted(ring, head, RingEntry.BYTES, Long.BYTES));
        }
        memory.asSlice(ring, (long) entries * RingEntry.BYTES);
        memory.asSlice(head, Long.BYTES);
    }
}

package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Entry of a channel's ring, which points to a push-buffer segment. The functions encode and
/// decode the 64-bit word.
///
/// ```text
///  63 62                    42 41 40 39           32 31                      2 1 0
///  +--+-----------------------+--+--+---------------+-------------------------+---+
///  |NP|    length in dwords   |NM| P|              virtual address            | 0 |
///  +--+-----------------------+--+--+---------------+-------------------------+---+
///   NP wait for earlier entries   NM subroutine: MGET unchanged   P privileged
/// ```
///
/// Sources: envytools `docs/hw/fifo/dma-pusher.rst`; nouveau `nouveau_dma.c`.
public final class GpfifoEntry {
    /// Size of an entry.
    public static final int BYTES = Long.BYTES;

    /// Maximum length of a segment, in dwords.
    public static final int MAX_DWORDS = (1 << 21) - 1;

    private static final BitField ADDRESS = bits(39, 2).scaledBy(2);
    private static final BitField PRIVILEGED = bit(40);
    private static final BitField NOT_MAIN = bit(41);
    private static final BitField DWORDS = bits(62, 42);
    private static final BitField NO_PREFETCH = bit(63);

    private GpfifoEntry() {}

    /// Returns an entry for `dwords` words at `gpuVa`, a multiple of 4.
    public static long of(long gpuVa, int dwords) {
        return ADDRESS.ofBytes(gpuVa) | DWORDS.of((long) dwords);
    }

    /// Returns `entry`, marked as a subroutine.
    public static long notMain(long entry) {
        return NOT_MAIN.with(entry, 1);
    }

    /// Returns `entry`, marked to be fetched only after all earlier entries have been executed.
    public static long noPrefetch(long entry) {
        return NO_PREFETCH.with(entry, 1);
    }

    /// Returns the virtual address of the segment in the channel's address space.
    public static long gpuVa(long entry) {
        return ADDRESS.bytes(entry);
    }

    /// Returns the length of the segment in dwords; 0 is legal and has no effect.
    public static int dwords(long entry) {
        return (int) DWORDS.get(entry);
    }

    public static boolean isPrivileged(long entry) {
        return PRIVILEGED.isSet(entry);
    }

    public static boolean isMain(long entry) {
        return !NOT_MAIN.isSet(entry);
    }

    public static boolean isNoPrefetch(long entry) {
        return NO_PREFETCH.isSet(entry);
    }
}

package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Entry of a runlist. The functions encode and decode the 64-bit word.
///
/// ```text
///  63                                32 31                    7 6      0
///  +-----------------------------------+-----------------------+--------+
///  |            flags                  |                       |channel |
///  +-----------------------------------+-----------------------+--------+
/// ```
///
/// Source: nouveau `nvkm/engine/fifo/gf100.c`, which always writes flags of 4.
public final class RunlistEntry {
    /// Size of an entry.
    public static final int BYTES = Long.BYTES;

    private static final int USUAL_FLAGS = 4;

    private static final BitField CHANNEL = bits(6, 0);
    private static final BitField FLAGS = bits(63, 32);

    private RunlistEntry() {}

    /// Returns an entry in nouveau's format.
    public static long of(int channel) {
        return CHANNEL.of((long) channel) | FLAGS.of((long) USUAL_FLAGS);
    }

    /// Returns the number of the channel.
    public static int channel(long entry) {
        return (int) CHANNEL.get(entry);
    }
}

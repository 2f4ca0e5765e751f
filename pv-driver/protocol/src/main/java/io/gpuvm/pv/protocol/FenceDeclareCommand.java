package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#FENCE_DECLARE]: consecutive words of the data area.
///
/// ```text
///  16          24         28
///  +-----------+----------+
///  | offset 64 | count 32 |
///  +-----------+----------+
/// ```
public final class FenceDeclareCommand extends CommandEntry {
    /// Offset of [#offset()].
    public static final int OFFSET = BODY;

    /// Offset of [#count()].
    public static final int COUNT = BODY + 8;

    /// Maximum number of declared words of a session over a network.
    public static final int MOST_WORDS = 1 << 12;

    @Override
    public FenceDeclareCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public FenceDeclareCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the offset of the first word in the data area, in bytes, a multiple of 4.
    public long offset() {
        return u64(OFFSET);
    }

    public FenceDeclareCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Returns the number of words, unsigned.
    public int count() {
        return u32(COUNT);
    }

    public FenceDeclareCommand count(int count) {
        u32(COUNT, count);
        return this;
    }
}

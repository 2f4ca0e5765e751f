package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#STATISTICS]: a range of the data area. The host writes 64-bit numbers
/// there in the order of [Statistic]: as many as the host supports and as fit into the range.
///
/// ```text
///  16          24         28
///  +-----------+----------+
///  | offset 64 | bytes 32 |
///  +-----------+----------+
/// ```
public final class StatisticsCommand extends CommandEntry {
    /// Offset of [#offset()].
    public static final int OFFSET = BODY;

    /// Offset of [#bytes()].
    public static final int LENGTH = BODY + 8;

    @Override
    public StatisticsCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public StatisticsCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the offset of the numbers in the data area, in bytes, a multiple of 8.
    public long offset() {
        return u64(OFFSET);
    }

    public StatisticsCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Returns the length of the range in bytes, unsigned.
    public int bytes() {
        return u32(LENGTH);
    }

    public StatisticsCommand bytes(int bytes) {
        u32(LENGTH, bytes);
        return this;
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#STATISTICS]: where in the data area the host writes numbers of 8
/// bytes, in the order of [Statistic]. It writes as many as there is room for, and as it knows.
///
/// ```text
///  16          24         28
///  +-----------+----------+
///  | offset 64 | bytes 32 |
///  +-----------+----------+
/// ```
public final class StatisticsCommand extends CommandEntry {
    /// Where [#offset()] is.
    public static final int OFFSET = BODY;

    /// Where [#bytes()] is.
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

    /// Where the numbers are to go in the data area, in bytes, a multiple of 8.
    public long offset() {
        return u64(OFFSET);
    }

    public StatisticsCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Room there, unsigned.
    public int bytes() {
        return u32(LENGTH);
    }

    public StatisticsCommand bytes(int bytes) {
        u32(LENGTH, bytes);
        return this;
    }
}

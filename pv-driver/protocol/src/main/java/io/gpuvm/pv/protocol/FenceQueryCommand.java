package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#FENCE_QUERY].
///
/// ```text
///  16          24
///  +-----------+
///  | offset 64 |
///  +-----------+
/// ```
public final class FenceQueryCommand extends CommandEntry {
    /// Offset of [#offset()].
    public static final int OFFSET = BODY;

    @Override
    public FenceQueryCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public FenceQueryCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the offset of the word in the data area, in bytes, a multiple of 4.
    public long offset() {
        return u64(OFFSET);
    }

    public FenceQueryCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#FENCE_WAIT]. The wait ends when the word minus the value is 0 to 2^31
/// - 1, modulo 2^32, or after the timeout.
///
/// ```text
///  16          24             32         36
///  +-----------+--------------+----------+
///  | offset 64 | timeoutNs 64 | value 32 |
///  +-----------+--------------+----------+
/// ```
public final class FenceWaitCommand extends CommandEntry {
    /// Offset of [#offset()].
    public static final int OFFSET = BODY;

    /// Offset of [#timeoutNs()].
    public static final int TIMEOUT_NS = BODY + 8;

    /// Offset of [#value()].
    public static final int VALUE = BODY + 16;

    @Override
    public FenceWaitCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public FenceWaitCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the offset of the word in the data area, in bytes, a multiple of 4.
    public long offset() {
        return u64(OFFSET);
    }

    public FenceWaitCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Returns the timeout in nanoseconds, counted from the time at which the host reads the
    /// command.
    public long timeoutNs() {
        return u64(TIMEOUT_NS);
    }

    public FenceWaitCommand timeoutNs(long timeoutNs) {
        u64(TIMEOUT_NS, timeoutNs);
        return this;
    }

    /// Returns the value that the word must reach.
    public int value() {
        return u32(VALUE);
    }

    public FenceWaitCommand value(int value) {
        u32(VALUE, value);
        return this;
    }
}

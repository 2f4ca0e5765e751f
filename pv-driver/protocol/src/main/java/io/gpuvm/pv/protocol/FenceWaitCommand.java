package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#FENCE_WAIT]: answered when the word is the value or up to 2^31 - 1
/// more.
///
/// ```text
///  16          24             32         36
///  +-----------+--------------+----------+
///  | offset 64 | timeoutNs 64 | value 32 |
///  +-----------+--------------+----------+
/// ```
public final class FenceWaitCommand extends CommandEntry {
    /// Where [#offset()] is.
    public static final int OFFSET = BODY;

    /// Where [#timeoutNs()] is.
    public static final int TIMEOUT_NS = BODY + 8;

    /// Where [#value()] is.
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

    /// Where the word is in the data area, in bytes, a multiple of 4.
    public long offset() {
        return u64(OFFSET);
    }

    public FenceWaitCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// How long at the most, from when the host reads the command.
    public long timeoutNs() {
        return u64(TIMEOUT_NS);
    }

    public FenceWaitCommand timeoutNs(long timeoutNs) {
        u64(TIMEOUT_NS, timeoutNs);
        return this;
    }

    /// What the word is to reach.
    public int value() {
        return u32(VALUE);
    }

    public FenceWaitCommand value(int value) {
        u32(VALUE, value);
        return this;
    }
}

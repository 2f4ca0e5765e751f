package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#SUBMIT].
///
/// ```text
///  16           20       24
///  +------------+--------+
///  | channel 32 | put 32 |
///  +------------+--------+
/// ```
public final class SubmitCommand extends CommandEntry {
    /// Offset of [#channel()].
    public static final int CHANNEL = BODY;

    /// Offset of [#put()].
    public static final int PUT = BODY + 4;

    @Override
    public SubmitCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public SubmitCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the number of the channel.
    public int channel() {
        return u32(CHANNEL);
    }

    public SubmitCommand channel(int channel) {
        u32(CHANNEL, channel);
        return this;
    }

    /// Returns the index of the first entry of the channel's ring that the GPU must not read.
    public int put() {
        return u32(PUT);
    }

    public SubmitCommand put(int put) {
        u32(PUT, put);
        return this;
    }
}

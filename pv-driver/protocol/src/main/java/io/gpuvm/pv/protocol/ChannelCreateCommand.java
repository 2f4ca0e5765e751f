package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#CHANNEL_CREATE]. The channel's ring of GPFIFO entries lies in the
/// guest's own memory, which the GPU reads through the address space.
///
/// ```text
///  16         20             24             32
///  +----------+--------------+--------------+
///  | space 32 | ringOrder 32 | ringGpuVa 64 |
///  +----------+--------------+--------------+
/// ```
public final class ChannelCreateCommand extends CommandEntry {
    /// Offset of [#space()].
    public static final int SPACE = BODY;

    /// Offset of [#ringOrder()].
    public static final int RING_ORDER = BODY + 4;

    /// Offset of [#ringGpuVa()].
    public static final int RING_GPU_VA = BODY + 8;

    @Override
    public ChannelCreateCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public ChannelCreateCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the address space.
    public int space() {
        return u32(SPACE);
    }

    public ChannelCreateCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// Returns the binary logarithm of the ring's number of entries.
    public int ringOrder() {
        return u32(RING_ORDER);
    }

    public ChannelCreateCommand ringOrder(int ringOrder) {
        u32(RING_ORDER, ringOrder);
        return this;
    }

    /// Returns the start address of the ring in the address space, a multiple of 8.
    public long ringGpuVa() {
        return u64(RING_GPU_VA);
    }

    public ChannelCreateCommand ringGpuVa(long ringGpuVa) {
        u64(RING_GPU_VA, ringGpuVa);
        return this;
    }
}

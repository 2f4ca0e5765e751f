package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#UNMAP].
///
/// ```text
///  16         20   24         32         40
///  +----------+----+----------+----------+
///  | space 32 |    | gpuVa 64 | bytes 64 |
///  +----------+----+----------+----------+
/// ```
public final class UnmapCommand extends CommandEntry {
    /// Offset of [#space()].
    public static final int SPACE = BODY;

    /// Offset of [#gpuVa()].
    public static final int GPU_VA = BODY + 8;

    /// Offset of [#bytes()].
    public static final int LENGTH = BODY + 16;

    @Override
    public UnmapCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public UnmapCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the address space.
    public int space() {
        return u32(SPACE);
    }

    public UnmapCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// Returns the start address of the range, a multiple of 4 KiB.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public UnmapCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Returns the length of the range, a multiple of 4 KiB. If a big page is only partly in the
    /// range, its remainder stays mapped.
    public long bytes() {
        return u64(LENGTH);
    }

    public UnmapCommand bytes(long bytes) {
        u64(LENGTH, bytes);
        return this;
    }
}

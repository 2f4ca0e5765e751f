package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#VRAM_ALLOC].
///
/// ```text
///  16         24
///  +----------+
///  | bytes 64 |
///  +----------+
/// ```
public final class VramAllocCommand extends CommandEntry {
    /// Offset of [#bytes()].
    public static final int LENGTH = BODY;

    @Override
    public VramAllocCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public VramAllocCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the requested length in bytes. The host rounds it up to a multiple of 4 KiB.
    public long bytes() {
        return u64(LENGTH);
    }

    public VramAllocCommand bytes(long bytes) {
        u64(LENGTH, bytes);
        return this;
    }
}

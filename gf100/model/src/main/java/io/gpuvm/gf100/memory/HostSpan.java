package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Where a physical address lies in this process: the answer of [PhysicalMemory#locate], in an
/// object that the caller owns and reuses.
///
/// Valid until DMA mappings change or a page of VRAM moves; both invalidate the GPU's translations.
public final class HostSpan {
    private MemorySegment segment;
    private long offset;
    private long bytes;
    private boolean writable;
    private boolean fragile;

    /// The memory, null if there is none at the address.
    public MemorySegment segment() {
        return segment;
    }

    /// Where in [#segment()] the address lies.
    public long offset() {
        return offset;
    }

    /// How many bytes follow without a gap.
    public long bytes() {
        return bytes;
    }

    /// Whether the GPU may write there.
    public boolean isWritable() {
        return writable;
    }

    /// Whether the memory's owner can cut it off, so that accesses must be guarded: see
    /// [PhysicalMemory#settle()].
    public boolean isFragile() {
        return fragile;
    }

    /// For those who find memory: sets what was found.
    public void found(
            MemorySegment foundIn,
            long at,
            long contiguousBytes,
            boolean isWritable,
            boolean isFragile) {
        segment = foundIn;
        offset = at;
        bytes = contiguousBytes;
        writable = isWritable;
        fragile = isFragile;
    }

    /// For those who find memory: nothing was found.
    public void nothing() {
        found(null, 0, 0, false, false);
    }
}

package io.gpuvm.softgpu.memory;

import java.lang.foreign.MemorySegment;

/// Where a physical address lies in this process: the answer of [PhysicalMemory#locate], in an
/// object that the caller owns and reuses.
///
/// Valid until DMA mappings change.
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

    /// How many bytes follow without a gap; without memory, how many bytes of none.
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

    /// Sets what was found; without more it is writable and not fragile.
    HostSpan found(MemorySegment foundIn, long at, long contiguousBytes) {
        segment = foundIn;
        offset = at;
        bytes = contiguousBytes;
        writable = true;
        fragile = false;
        return this;
    }

    void restrict(boolean isWritable, boolean isFragile) {
        writable = isWritable;
        fragile = isFragile;
    }

    void nothing() {
        found(null, 0, 0).restrict(false, false);
    }
}

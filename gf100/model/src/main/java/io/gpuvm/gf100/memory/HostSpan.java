package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Location of a physical address in this process: the result of [PhysicalMemory#locate], in an
/// object that the caller owns and reuses.
///
/// Valid until DMA mappings change or a page of VRAM moves; both invalidate the GPU's translations.
public final class HostSpan {
    private MemorySegment segment;
    private long offset;
    private long bytes;
    private boolean writable;
    private boolean fragile;

    /// Returns the memory; null if the address has no memory.
    public MemorySegment segment() {
        return segment;
    }

    /// Returns the offset of the address in [#segment()].
    public long offset() {
        return offset;
    }

    /// Returns the number of contiguous bytes from the address.
    public long bytes() {
        return bytes;
    }

    /// Returns whether the GPU may write to the memory.
    public boolean isWritable() {
        return writable;
    }

    /// Returns whether the memory's owner can truncate it, so that accesses must be guarded: see
    /// [PhysicalMemory#settle()].
    public boolean isFragile() {
        return fragile;
    }

    /// Sets the result of a search.
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

    /// Sets the result of an unsuccessful search.
    public void nothing() {
        found(null, 0, 0, false, false);
    }
}

package io.gpuvm.pv.runtime;

import java.lang.foreign.MemorySegment;

/// Memory of this process that the GPU accesses directly, so that a copy needs no staging. The
/// memory is initially zeroed. Any thread.
public final class PinnedMemory implements GpuBuffer {
    private final Allocation allocation;
    private final MemorySegment segment;

    PinnedMemory(Allocation allocation, MemorySegment segment) {
        this.allocation = allocation;
        this.segment = segment;
    }

    Allocation allocation() {
        return allocation;
    }

    /// Returns the memory as a segment for any thread. An access to freed memory throws
    /// [IllegalStateException].
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if the memory is closed
    public MemorySegment segment() {
        allocation.checkOpen();
        return segment;
    }

    @Override
    public long gpuVa() {
        return allocation.gpuVa();
    }

    @Override
    public long bytes() {
        return allocation.bytes();
    }

    @Override
    public void close() {
        allocation.close();
    }
}

package io.gpuvm.pv.guest;

import java.lang.foreign.MemorySegment;

/// Memory of this process that the GPU reaches where it lies, so that a copy needs no other.
public final class PinnedMemory implements AutoCloseable {
    PinnedMemory() {}

    /// The memory, zeroed at first, for any thread.
    public MemorySegment segment() {
        throw new UnsupportedOperationException();
    }

    /// Where kernels see it.
    public long gpuVa() {
        throw new UnsupportedOperationException();
    }

    public long bytes() {
        throw new UnsupportedOperationException();
    }

    /// Frees it once the work that was submitted before is done. A second call does nothing.
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

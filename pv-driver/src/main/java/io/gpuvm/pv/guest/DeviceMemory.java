package io.gpuvm.pv.guest;

/// Memory of the GPU's own. What it holds at first is undefined.
public final class DeviceMemory implements AutoCloseable {
    DeviceMemory() {}

    /// Where kernels see it; a multiple of 256.
    public long gpuVa() {
        throw new UnsupportedOperationException();
    }

    /// How much was asked for.
    public long bytes() {
        throw new UnsupportedOperationException();
    }

    /// Frees it once the work that was submitted before is done. A second call does nothing.
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

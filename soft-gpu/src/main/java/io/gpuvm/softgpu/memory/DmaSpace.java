package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.device.DmaMapping;

/// The host memory that the GPU may reach, by address on its bus.
public final class DmaSpace implements AutoCloseable {
    /// Adds a range.
    public void map(DmaMapping mapping) {}

    /// Takes back what lies in `[iova, iova + bytes)`, unsigned.
    public void unmap(long iova, long bytes) {}

    @Override
    public void close() {}
}

package io.gpuvm.pv.guest;

import java.util.List;

/// A module of machine code in the GPU's memory. Any thread.
public final class GpuModule implements AutoCloseable {
    GpuModule() {}

    /// What can be launched, in the order of the file.
    public List<GpuKernel> kernels() {
        throw new UnsupportedOperationException();
    }

    /// @throws GpuException [GpuError#NOT_FOUND], naming the kernels that there are
    public GpuKernel kernel(String name) {
        throw new UnsupportedOperationException();
    }

    /// A variable of the module: it is freed with it.
    ///
    /// @throws GpuException [GpuError#NOT_FOUND]
    public DeviceMemory variable(String name) {
        throw new UnsupportedOperationException();
    }

    /// Unloads it once the work that was submitted before is done. A second call does nothing.
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

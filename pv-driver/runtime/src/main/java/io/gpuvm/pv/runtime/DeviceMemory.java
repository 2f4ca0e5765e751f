package io.gpuvm.pv.runtime;

/// Memory in VRAM. Its initial contents are undefined. Any thread.
public final class DeviceMemory implements GpuBuffer {
    private final Allocation allocation;
    private final boolean isPart;

    /// @param isPart whether it is freed with an enclosing allocation, so that [#close()] has no
    ///   effect
    DeviceMemory(Allocation allocation, boolean isPart) {
        this.allocation = allocation;
        this.isPart = isPart;
    }

    Allocation allocation() {
        return allocation;
    }

    @Override
    public long gpuVa() {
        return allocation.gpuVa();
    }

    @Override
    public long bytes() {
        return allocation.bytes();
    }

    /// Frees the memory once all previously submitted work is done. A second call has no effect,
    /// nor does a call for a variable of a module, which is freed with the module.
    @Override
    public void close() {
        if (!isPart) {
            allocation.close();
        }
    }
}

package io.gpuvm.pv.runtime;

/// Memory of the GPU's own. What it holds at first is undefined. Any thread.
public final class DeviceMemory implements GpuBuffer {
    private final Allocation allocation;
    private final boolean isPart;

    /// @param isPart whether it is freed with something else, and [#close()] does nothing
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

    /// Frees it once the work that was submitted before is done. A second call does nothing, nor
    /// does one for a variable of a module, which is freed with the module.
    @Override
    public void close() {
        if (!isPart) {
            allocation.close();
        }
    }
}

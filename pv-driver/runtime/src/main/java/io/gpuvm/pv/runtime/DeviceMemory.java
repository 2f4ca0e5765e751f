package io.gpuvm.pv.runtime;

/// Memory in VRAM. Its initial contents are undefined. Any thread.
public final class DeviceMemory implements GpuBuffer {
    private final Allocation allocation;
    private final boolean isPart;

    /// @param isPart whether the memory is freed with an enclosing allocation, so that [#close()]
    ///   has no effect
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

    /// Returns whether the memory is not freed.
    public boolean isOpen() {
        return allocation.isOpen();
    }

    /// Frees the memory once all previously submitted work is done. A second call has no effect. A
    /// call for a variable of a module has no effect; closing the module frees the variable.
    @Override
    public void close() {
        if (!isPart) {
            allocation.close();
        }
    }
}

package io.gpuvm.pv.runtime;

/// VRAM. Its initial contents are undefined. Any thread.
public final class DeviceMemory implements GpuBuffer {
    private final Allocation allocation;
    private final boolean isPart;

    /// @param isPart whether it is freed with an enclosing allocation, so that [#close()] does
    ///   nothing
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

    /// Frees the memory once the work submitted before is done. A second call does nothing, nor
    /// does a call for a variable of a module, which is freed with the module.
    @Override
    public void close() {
        if (!isPart) {
            allocation.close();
        }
    }
}

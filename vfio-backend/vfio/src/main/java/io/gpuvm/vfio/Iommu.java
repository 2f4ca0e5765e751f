package io.gpuvm.vfio;

/// Address translation between a device and the host's memory.
interface Iommu {
    /// Maps memory of this process for the device.
    ///
    /// @param address address of the memory in this process
    /// @param iova address at which the device accesses the memory
    void map(long address, long iova, long bytes, boolean writable);

    /// Unmaps one mapping, whose range must be given exactly.
    void unmap(long iova, long bytes);
}

package io.gpuvm.vfio;

/// Address translation between a device and the host's memory.
interface Iommu {
    /// Maps memory of this process for the device.
    ///
    /// @param address address of the memory in this process
    /// @param iova address of the memory on the device's side
    void map(long address, long iova, long bytes, boolean writable);

    /// Unmaps one mapping, in exactly the range in which it was mapped.
    void unmap(long iova, long bytes);
}

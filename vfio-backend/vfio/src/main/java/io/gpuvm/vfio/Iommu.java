package io.gpuvm.vfio;

/// What stands between a device and the host's memory.
interface Iommu {
    /// Lets the device reach memory of this process.
    ///
    /// @param address where the memory is in this process
    /// @param iova where the device sees it
    void map(long address, long iova, long bytes, boolean writable);

    /// Takes back one mapping, exactly as it was made.
    void unmap(long iova, long bytes);
}

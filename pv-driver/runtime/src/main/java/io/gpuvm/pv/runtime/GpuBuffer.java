package io.gpuvm.pv.runtime;

/// Memory that the GPU reaches: VRAM, or memory of this process. Any thread.
public sealed interface GpuBuffer extends AutoCloseable permits DeviceMemory, PinnedMemory {
    /// Address for kernels, a multiple of 256.
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if the memory is closed
    long gpuVa();

    /// Requested length in bytes.
    long bytes();

    /// Frees the memory once the work submitted before is done. A second call does nothing.
    @Override
    void close();
}

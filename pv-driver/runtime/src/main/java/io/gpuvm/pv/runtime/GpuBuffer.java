package io.gpuvm.pv.runtime;

/// Memory that the GPU can access: VRAM, or memory of this process. Any thread.
public sealed interface GpuBuffer extends AutoCloseable permits DeviceMemory, PinnedMemory {
    /// Returns the address for kernels; a multiple of 256, unless the memory is a variable of a
    /// module.
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if the memory is closed
    long gpuVa();

    /// Returns the requested length in bytes.
    long bytes();

    /// Frees the memory once all previously submitted work is done. A second call has no effect.
    @Override
    void close();
}

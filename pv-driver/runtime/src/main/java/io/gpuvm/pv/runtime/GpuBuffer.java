package io.gpuvm.pv.runtime;

/// Memory that the GPU reaches, of its own or of this process. Any thread.
public sealed interface GpuBuffer extends AutoCloseable permits DeviceMemory, PinnedMemory {
    /// Where kernels see it; a multiple of 256.
    ///
    /// @throws GpuException [GpuError#INVALID_HANDLE] if it is closed
    long gpuVa();

    /// How much was asked for.
    long bytes();

    /// Frees it once the work that was submitted before is done. A second call does nothing.
    @Override
    void close();
}

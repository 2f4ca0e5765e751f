package io.gpuvm.pv.transport;

/// Memory at an address in a transport's address space.
public interface GpuMemory extends AutoCloseable {
    /// Returns the GPU address of the memory. Constant, a multiple of 4 KiB, not 0.
    long gpuVa();

    /// Returns the length in bytes, a multiple of the page size. Constant.
    long bytes();

    /// Frees the memory. The caller ensures that the GPU no longer uses it; an access by a channel
    /// causes a fault. A second call has no effect.
    @Override
    void close();
}

package io.gpuvm.pv.transport;

/// Memory at an address of a transport's address space.
public interface GpuMemory extends AutoCloseable {
    /// Where the GPU sees it. Constant, a multiple of 4 KiB, not 0.
    long gpuVa();

    /// How much there is: whole pages. Constant.
    long bytes();

    /// Gives it back. Whoever calls this has seen to it that the GPU is done with it; a channel
    /// that uses it nevertheless gets a fault. A second call does nothing.
    @Override
    void close();
}

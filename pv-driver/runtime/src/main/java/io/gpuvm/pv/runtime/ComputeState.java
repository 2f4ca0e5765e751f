package io.gpuvm.pv.runtime;

/// Kernel state of a channel, cached so that launches do not send it again, and memory that only
/// the channel's launches use. Guarded by the queue's lock.
final class ComputeState {
    /// Kernel for which the channel is set up; null before the first launch.
    GpuKernel kernel;

    /// Number of modules loaded when the channel last invalidated its code cache.
    long codeVersion;

    /// Textures that the channel uses; null before its first launch with textures.
    KernelTextures.Table textures;

    /// Location of the textures' headers; null before the first launch with textures. Written under
    /// the lock, read by any thread.
    volatile VramHeap.Taken texturePool;

    /// Constant bank 0; null before the first launch.
    VramHeap.Taken bank;

    /// Pending contents of constant bank 0.
    final byte[] constants = new byte[LaunchConstants.BYTES];

    /// Local memory and stacks; [TemporaryMemory#NONE] before the first launch. Written under the
    /// lock, read by any thread.
    volatile TemporaryMemory temporary = TemporaryMemory.NONE;
}

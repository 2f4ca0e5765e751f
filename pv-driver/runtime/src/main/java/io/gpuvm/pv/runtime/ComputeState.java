package io.gpuvm.pv.runtime;

/// Kernel state of a channel, kept so as not to send it again with every launch, and memory that
/// only its launches use. Guarded by the queue's lock.
final class ComputeState {
    /// Kernel for which the channel is set up, null at first.
    GpuKernel kernel;

    /// Number of modules loaded when the channel last invalidated its code cache.
    long codeVersion;

    /// Textures that the channel has, null before the first launch with any.
    KernelTextures.Table textures;

    /// Location of their headers, null before the first launch with any. Written under the lock,
    /// read by any thread.
    volatile VramHeap.Taken texturePool;

    /// Constant bank 0, null before the first launch.
    VramHeap.Taken bank;

    /// Pending contents of constant bank 0.
    final byte[] constants = new byte[LaunchConstants.BYTES];

    /// Local memory and stacks, [TemporaryMemory#NONE] before the first launch. Written under the
    /// lock, read by any thread.
    volatile TemporaryMemory temporary = TemporaryMemory.NONE;
}

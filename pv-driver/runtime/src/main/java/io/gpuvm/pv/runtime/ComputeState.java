package io.gpuvm.pv.runtime;

/// What a channel has been told about kernels, so as not to tell it again with every launch, and
/// memory that only its launches use. Belongs to who holds the queue's lock.
final class ComputeState {
    /// Which kernel the channel is set up for, null at first.
    GpuKernel kernel;

    /// How many modules had been loaded when it last forgot code.
    long codeVersion;

    /// The textures that the channel has, null before the first launch with any.
    KernelTextures.Table textures;

    /// Where their headers are, null before the first launch with any. Written under the lock, read
    /// by any thread.
    volatile VramHeap.Taken texturePool;

    /// Constant bank 0, null before the first launch.
    VramHeap.Taken bank;

    /// What is to be in it.
    final byte[] constants = new byte[LaunchConstants.BYTES];

    /// Local memory and stacks, [TemporaryMemory#NONE] before the first launch. Written under the
    /// lock, read by any thread.
    volatile TemporaryMemory temporary = TemporaryMemory.NONE;
}

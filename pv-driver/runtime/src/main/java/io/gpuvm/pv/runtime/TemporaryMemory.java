package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.pv.module.KernelResources;

/// Memory behind the local memory and the stacks of a channel's launches: a share for each warp
/// that the multiprocessors have room for.
///
/// @param memory null if there is none
/// @param bytes its size
/// @param wantedBytes for what it was made: more than `bytes` if there was not as much left
record TemporaryMemory(VramHeap.Taken memory, long bytes, long wantedBytes) {
    static final TemporaryMemory NONE = new TemporaryMemory(null, 0, 0);

    private static final int WARP_THREADS = 32;

    /// What its size is a multiple of (gdev `gdev_nvidia_compute.c`).
    private static final long ALIGNMENT_BYTES = 1 << 17;

    /// More than a kernel needs, for `multiprocessors` of them or for as many as there is memory
    /// for.
    ///
    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if there is none for even one
    static TemporaryMemory allocate(
            Memories memories, KernelResources resources, int multiprocessors) {
        long wanted = bytes(resources, multiprocessors);
        for (int n = multiprocessors; ; n /= 2) {
            long bytes = bytes(resources, n);
            try {
                return new TemporaryMemory(memories.takeVram(bytes), bytes, wanted);
            } catch (GpuException e) {
                if (e.error() != GpuError.OUT_OF_MEMORY || n == 1) {
                    throw e;
                }
            }
        }
    }

    /// Whether there is no use in another one.
    boolean suffices(KernelResources resources, int multiprocessors) {
        return bytes(resources, multiprocessors) <= wantedBytes && multiprocessors(resources) > 0;
    }

    /// For how many multiprocessors it suffices.
    int multiprocessors(KernelResources resources) {
        long share = share(resources);
        return (int) Math.min(Integer.MAX_VALUE, bytes / share);
    }

    private static long bytes(KernelResources resources, int multiprocessors) {
        long bytes = multiprocessors * share(resources);
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /// Bytes of a multiprocessor.
    private static long share(KernelResources resources) {
        long ofWarp = (long) WARP_THREADS * resources.localBytes() + resources.callStackBytes();
        return ComputeClass.WARPS_OF_MULTIPROCESSOR * ofWarp;
    }
}

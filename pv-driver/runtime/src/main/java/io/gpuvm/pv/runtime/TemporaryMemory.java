package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.pv.module.KernelResources;

/// Memory for the local memory and the stacks of a channel's launches: a share for each warp that
/// fits on the multiprocessors.
///
/// @param memory allocated memory; null if there is none
/// @param bytes length of the memory
/// @param wantedBytes requested length, greater than `bytes` if not enough memory was left
record TemporaryMemory(VramHeap.Taken memory, long bytes, long wantedBytes) {
    static final TemporaryMemory NONE = new TemporaryMemory(null, 0, 0);

    private static final int WARP_THREADS = 32;

    /// Alignment of the length (gdev `gdev_nvidia_compute.c`).
    private static final long ALIGNMENT_BYTES = 1 << 17;

    /// Allocates at least the memory that a kernel needs on `multiprocessors` multiprocessors.
    /// While the free memory does not suffice, the number of multiprocessors is halved.
    ///
    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if the free memory does not suffice for one
    ///   multiprocessor
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

    /// Returns whether a new allocation would bring no benefit.
    boolean suffices(KernelResources resources, int multiprocessors) {
        return bytes(resources, multiprocessors) <= wantedBytes && multiprocessors(resources) > 0;
    }

    /// Returns the number of multiprocessors for which the memory suffices.
    int multiprocessors(KernelResources resources) {
        long share = share(resources);
        return (int) Math.min(Integer.MAX_VALUE, bytes / share);
    }

    private static long bytes(KernelResources resources, int multiprocessors) {
        long bytes = multiprocessors * share(resources);
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /// Returns the number of bytes for one multiprocessor.
    private static long share(KernelResources resources) {
        long ofWarp = (long) WARP_THREADS * resources.localBytes() + resources.callStackBytes();
        return ComputeClass.WARPS_OF_MULTIPROCESSOR * ofWarp;
    }
}

package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.pv.module.BlockRule;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.KernelResources;

/// Checks of a launch against the limits of a multiprocessor and of the kernel.
final class LaunchLimits {
    private static final int WARP_THREADS = 32;

    private LaunchLimits() {}

    /// @throws GpuException [GpuError#INVALID_VALUE] if the GPU does not support the shape or the
    ///   kernel requires another shape, [GpuError#OUT_OF_RESOURCES] if a block has more threads
    ///   than the kernel permits or needs more than a multiprocessor has
    static void check(KernelImage kernel, LaunchShape shape) {
        String name = kernel.name();
        in(name, "grid x", shape.gridX(), 1, ComputeClass.GRID_LIMIT);
        in(name, "grid y", shape.gridY(), 1, ComputeClass.GRID_LIMIT);
        in(name, "grid z", shape.gridZ(), 1, ComputeClass.GRID_LIMIT);
        in(name, "block x", shape.blockX(), 1, ComputeClass.BLOCK_LIMIT_XY);
        in(name, "block y", shape.blockY(), 1, ComputeClass.BLOCK_LIMIT_XY);
        in(name, "block z", shape.blockZ(), 1, ComputeClass.BLOCK_LIMIT_Z);
        in(name, "dynamic shared bytes", shape.dynamicSharedBytes(), 0, Integer.MAX_VALUE);
        int threads = shape.blockX() * shape.blockY() * shape.blockZ();
        in(name, "threads of a block", threads, 1, ComputeClass.BLOCK_LIMIT_THREADS);
        checkRule(kernel, shape, threads);
        checkResources(name, kernel.resources(), shape, threads);
    }

    private static void checkRule(KernelImage kernel, LaunchShape shape, int threads) {
        BlockRule rule = kernel.block();
        atMost(kernel.name(), "threads of a block", threads, rule.maxThreads());
        BlockRule.Size only = rule.required();
        if (only != null
                && (shape.blockX() != only.x()
                        || shape.blockY() != only.y()
                        || shape.blockZ() != only.z())) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "kernel %s: block=%dx%dx%d, expected=%s"
                            .formatted(
                                    kernel.name(),
                                    shape.blockX(),
                                    shape.blockY(),
                                    shape.blockZ(),
                                    only));
        }
    }

    private static void checkResources(
            String name, KernelResources resources, LaunchShape shape, int threads) {
        long shared = (long) resources.sharedBytes() + shape.dynamicSharedBytes();
        atMost(name, "shared bytes", shared, ComputeClass.SHARED_LARGE_BYTES);
        int warps = (threads + WARP_THREADS - 1) / WARP_THREADS;
        int unit = ComputeClass.REGISTERS_OF_WARP_UNIT;
        int ofWarp = (resources.registers() * WARP_THREADS + unit - 1) / unit * unit;
        atMost(
                name,
                "registers of a block",
                (long) warps * ofWarp,
                ComputeClass.REGISTERS_OF_MULTIPROCESSOR);
    }

    private static void in(String kernel, String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "kernel %s: %s=%d, expected %d to %d"
                            .formatted(kernel, what, value, least, most));
        }
    }

    private static void atMost(String kernel, String what, long value, long most) {
        if (value > most) {
            throw new GpuException(
                    GpuError.OUT_OF_RESOURCES,
                    "kernel %s: %s=%d, limit=%d".formatted(kernel, what, value, most));
        }
    }
}

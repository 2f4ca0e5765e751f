package io.gpuvm.pv.module;

import io.gpuvm.gf100.classes.ComputeClass;

/// Number of blocks that a multiprocessor runs at the same time. Source: CUDA's occupancy
/// calculator, for compute capability 2.0.
public final class Occupancy {
    /// Number of threads of a warp.
    public static final int WARP_THREADS = 32;

    /// Maximum number of blocks of a multiprocessor.
    public static final int BLOCKS_OF_MULTIPROCESSOR = 8;

    /// Unit in which shared memory is allocated to blocks, in bytes.
    private static final int SHARED_UNIT_BYTES = 128;

    /// Number of schedulers of a multiprocessor, each with the same number of registers.
    private static final int SCHEDULERS = 2;

    private Occupancy() {}

    /// Returns the number of blocks, 0 if a multiprocessor cannot run a block.
    ///
    /// @param threads number of threads of a block, at least 1
    /// @param dynamicSharedBytes bytes of each block's dynamic shared memory, at least 0
    public static int blocks(KernelAttributes kernel, int threads, long dynamicSharedBytes) {
        if (threads > kernel.maxThreads()) {
            return 0;
        }
        int warps = ceilDiv(threads, WARP_THREADS);
        int byWarps = ComputeClass.WARPS_OF_MULTIPROCESSOR / warps;
        int byRegisters = warpsWithRegisters(kernel.registers()) / warps;
        int blocks = Math.min(BLOCKS_OF_MULTIPROCESSOR, Math.min(byWarps, byRegisters));
        return (int) Math.min(blocks, byShared(kernel.sharedBytes(), dynamicSharedBytes));
    }

    private static long byShared(int staticBytes, long dynamicBytes) {
        long limit = ComputeClass.SHARED_LARGE_BYTES;
        if (dynamicBytes > limit) {
            return 0;
        }
        long units = (staticBytes + dynamicBytes + SHARED_UNIT_BYTES - 1) / SHARED_UNIT_BYTES;
        return units == 0 ? BLOCKS_OF_MULTIPROCESSOR : limit / (units * SHARED_UNIT_BYTES);
    }

    /// Returns the maximum number of threads of a block with this number of registers per thread.
    static int maxThreads(int registers) {
        return Math.min(
                ComputeClass.BLOCK_LIMIT_THREADS, warpsWithRegisters(registers) * WARP_THREADS);
    }

    /// Returns the number of warps for which a multiprocessor has registers.
    private static int warpsWithRegisters(int registers) {
        int unit = ComputeClass.REGISTERS_OF_WARP_UNIT;
        int ofWarp = ceilDiv(registers * WARP_THREADS, unit) * unit;
        int ofScheduler = ComputeClass.REGISTERS_OF_MULTIPROCESSOR / SCHEDULERS / ofWarp;
        return ofScheduler * SCHEDULERS;
    }

    private static int ceilDiv(int value, int unit) {
        return (value + unit - 1) / unit;
    }
}

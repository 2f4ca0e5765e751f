package io.gpuvm.ptx.check;

import java.util.List;

/// Directives of a kernel that limit its launches and resources.
///
/// @param maxThreads `.maxntid`: maximum sizes of a block; empty if absent
/// @param requiredThreads `.reqntid`: sizes of a block; empty if absent
/// @param minBlocks `.minnctapersm`, or 0
/// @param maxRegisters `.maxnreg`, or 0
public record PtxLaunchBounds(
        List<Integer> maxThreads, List<Integer> requiredThreads, int minBlocks, int maxRegisters) {
    /// No limits.
    public static final PtxLaunchBounds NONE = new PtxLaunchBounds(List.of(), List.of(), 0, 0);

    /// Registers of a multiprocessor, unit of their allocation to a warp, and unit of the number of
    /// warps, on sm_20: CUDA C Programming Guide, "Compute Capabilities"; CUDA Occupancy
    /// Calculator.
    private static final int REGISTERS = 32 << 10;

    private static final int REGISTER_UNIT = 64;
    private static final int WARP_UNIT = 2;
    private static final int WARP_SIZE = 32;

    public PtxLaunchBounds {
        maxThreads = List.copyOf(maxThreads);
        requiredThreads = List.copyOf(requiredThreads);
    }

    /// Returns the maximum number of threads of a block, or 0 if no directive limits it.
    public int threads() {
        List<Integer> sizes = requiredThreads.isEmpty() ? maxThreads : requiredThreads;
        return sizes.isEmpty() ? 0 : sizes.stream().reduce(1, Math::multiplyExact);
    }

    /// Returns the maximum number of registers of a thread with which a multiprocessor can execute
    /// a block of [#threads()] threads, or [#minBlocks()] such blocks, and which obeys
    /// [#maxRegisters()]; 0 if no directive limits it.
    public int registers() {
        int limit = maxRegisters;
        if (threads() > 0) {
            int warps = (threads() + WARP_SIZE - 1) / WARP_SIZE + WARP_UNIT - 1 & -WARP_UNIT;
            int ofWarp = REGISTERS / (warps * Math.max(1, minBlocks)) & -REGISTER_UNIT;
            int ofThread = Math.max(1, ofWarp / WARP_SIZE);
            limit = limit == 0 ? ofThread : Math.min(limit, ofThread);
        }
        return limit;
    }
}

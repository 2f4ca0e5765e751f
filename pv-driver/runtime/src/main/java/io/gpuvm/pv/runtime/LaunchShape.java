package io.gpuvm.pv.runtime;

/// How many blocks of how many threads a launch runs.
///
/// @param dynamicSharedBytes of each block, behind what the kernel itself declares
public record LaunchShape(
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ,
        int dynamicSharedBytes) {
    /// A row of blocks that are rows of threads.
    public static LaunchShape of(int blocks, int threads) {
        return new LaunchShape(blocks, 1, 1, threads, 1, 1, 0);
    }

    /// A plane of blocks that are planes of threads.
    public static LaunchShape of(int gridX, int gridY, int blockX, int blockY) {
        return new LaunchShape(gridX, gridY, 1, blockX, blockY, 1, 0);
    }

    /// The same, with dynamic shared memory.
    public LaunchShape withDynamicShared(int bytes) {
        return new LaunchShape(gridX, gridY, gridZ, blockX, blockY, blockZ, bytes);
    }
}

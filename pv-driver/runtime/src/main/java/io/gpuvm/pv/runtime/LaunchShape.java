package io.gpuvm.pv.runtime;

/// Numbers of blocks of a launch and of threads of a block, in each direction.
///
/// @param dynamicSharedBytes bytes of each block's dynamic shared memory, which follows the
///   kernel's static shared memory
public record LaunchShape(
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ,
        int dynamicSharedBytes) {
    /// Returns a one-dimensional shape.
    public static LaunchShape of(int blocks, int threads) {
        return new LaunchShape(blocks, 1, 1, threads, 1, 1, 0);
    }

    /// Returns a two-dimensional shape.
    public static LaunchShape of(int gridX, int gridY, int blockX, int blockY) {
        return new LaunchShape(gridX, gridY, 1, blockX, blockY, 1, 0);
    }

    /// Returns this shape with the given amount of dynamic shared memory.
    public LaunchShape withDynamicShared(int bytes) {
        return new LaunchShape(gridX, gridY, gridZ, blockX, blockY, blockZ, bytes);
    }
}

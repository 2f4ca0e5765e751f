package io.gpuvm.cuda.service.session;

import io.gpuvm.pv.runtime.LaunchShape;

/// Shapes of recent launches, so that repeated launches of the same shape allocate none.
final class LaunchShapes {
    /// Number of shapes, a power of two.
    private static final int SHAPES = 64;

    private static final int FACTOR = 31;

    private final LaunchShape[] recent = new LaunchShape[SHAPES];

    /// Returns a shape; numbers of blocks and threads, then bytes of dynamic shared memory.
    LaunchShape of(
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int dynamicSharedBytes) {
        int hash = gridX;
        hash = hash * FACTOR + gridY;
        hash = hash * FACTOR + gridZ;
        hash = hash * FACTOR + blockX;
        hash = hash * FACTOR + blockY;
        hash = hash * FACTOR + blockZ;
        hash = hash * FACTOR + dynamicSharedBytes;
        int at = (hash ^ hash >>> Short.SIZE) & SHAPES - 1;
        LaunchShape found = recent[at];
        if (found == null
                || found.gridX() != gridX
                || found.gridY() != gridY
                || found.gridZ() != gridZ
                || found.blockX() != blockX
                || found.blockY() != blockY
                || found.blockZ() != blockZ
                || found.dynamicSharedBytes() != dynamicSharedBytes) {
            found =
                    new LaunchShape(
                            gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes);
            recent[at] = found;
        }
        return found;
    }
}

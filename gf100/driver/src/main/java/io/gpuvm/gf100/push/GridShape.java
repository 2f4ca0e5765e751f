package io.gpuvm.gf100.push;

/// Shape of a launch: blocks of the grid, threads per block, and bytes of shared memory per block.
public record GridShape(
        int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {}

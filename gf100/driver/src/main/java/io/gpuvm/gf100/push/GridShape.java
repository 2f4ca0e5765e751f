package io.gpuvm.gf100.push;

/// Shape of a launch: blocks, threads of a block, bytes of shared memory of a block.
public record GridShape(
        int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {}

package io.gpuvm.gf100.device;

/// Position of a block in a grid, or of a thread in a block.
public record GridIndex(int x, int y, int z) {
    /// Returns the position in the form of CUDA's messages.
    @Override
    public String toString() {
        return "[%d,%d,%d]".formatted(x, y, z);
    }
}

package io.gpuvm.softgpu.sm;

/// Size of, or position in, a grid of blocks or a block of threads.
public record Dimensions(int x, int y, int z) {
    /// Returns the number of positions.
    public long count() {
        return (long) x * y * z;
    }

    /// Returns the position with the given index; x varies fastest.
    public Dimensions at(long index) {
        return new Dimensions((int) (index % x), (int) (index / x % y), (int) (index / x / y));
    }

    @Override
    public String toString() {
        return "(%d, %d, %d)".formatted(x, y, z);
    }
}

package io.gpuvm.softgpu.sm;

/// A size of, or a place in, a grid of blocks or a block of threads.
public record Dimensions(int x, int y, int z) {
    /// How many places there are.
    public long count() {
        return (long) x * y * z;
    }

    /// The place that has a number: x counts quickest.
    public Dimensions at(long index) {
        return new Dimensions((int) (index % x), (int) (index / x % y), (int) (index / x / y));
    }

    @Override
    public String toString() {
        return "(%d, %d, %d)".formatted(x, y, z);
    }
}

package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.LaunchShape;

/// Shapes of launches with one thread for each element.
final class Blocks {
    /// Number of threads of a one-dimensional block.
    static final int THREADS = 256;

    /// Number of threads of a square block in each direction.
    static final int SIDE = 16;

    private Blocks() {}

    /// Returns the number of parts of the given size that cover the elements.
    static int covering(int elements, int size) {
        return (elements + size - 1) / size;
    }

    /// Returns the shape of a one-dimensional launch.
    static LaunchShape row(int elements) {
        return LaunchShape.of(covering(elements, THREADS), THREADS);
    }

    /// Returns the shape of a two-dimensional launch of square blocks.
    static LaunchShape plane(int columns, int rows) {
        return squares(covering(columns, SIDE), covering(rows, SIDE));
    }

    /// Returns the shape of a launch of `x` by `y` square blocks.
    static LaunchShape squares(int x, int y) {
        return LaunchShape.of(x, y, SIDE, SIDE);
    }
}

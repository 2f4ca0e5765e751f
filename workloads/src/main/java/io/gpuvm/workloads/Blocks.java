package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.LaunchShape;

/// Shapes of launches that have a thread for each element.
final class Blocks {
    /// Threads of a block in a row.
    static final int THREADS = 256;

    /// Threads of a square block in each direction.
    static final int SIDE = 16;

    private Blocks() {}

    /// How many parts of some size cover a number of elements.
    static int covering(int elements, int size) {
        return (elements + size - 1) / size;
    }

    /// A row of blocks that are rows of threads.
    static LaunchShape row(int elements) {
        return LaunchShape.of(covering(elements, THREADS), THREADS);
    }

    /// A plane of square blocks.
    static LaunchShape plane(int columns, int rows) {
        return squares(covering(columns, SIDE), covering(rows, SIDE));
    }

    /// So many square blocks in each direction.
    static LaunchShape squares(int x, int y) {
        return LaunchShape.of(x, y, SIDE, SIDE);
    }
}

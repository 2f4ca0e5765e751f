package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.SIDE;
import static io.gpuvm.workloads.Blocks.squares;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Lower and upper triangular matrices whose product is a given matrix, computed in place.
///
/// The kernels work on tiles. A matrix whose number of rows is not a multiple of a tile's number of
/// rows is extended by ones on the diagonal and zeros elsewhere, which does not change the result.
///
/// The result is verified bit by bit against the textbook algorithm of three nested loops: tiles
/// change only the order of operations on different elements, and the kernels round divisions as
/// the host does. There is no pivoting; the matrix is diagonally dominant.
final class LuDecomposition implements Workload {
    private static final WorkloadSize SIZE =
            new WorkloadSize("rows and columns of the matrix", 1, 512, 4096);

    @Override
    public String name() {
        return "lud";
    }

    @Override
    public String summary() {
        return "decomposes a matrix, L times U: tiles in shared memory, shrinking launches";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), seed);
    }

    /// Decomposes a matrix of n rows and columns in place.
    static float[] decompose(float[] a, int n) {
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) {
                float l = a[i * n + k] / a[k * n + k];
                a[i * n + k] = l;
                for (int j = k + 1; j < n; j++) {
                    a[i * n + j] = Math.fma(-l, a[k * n + j], a[i * n + j]);
                }
            }
        }
        return a;
    }

    private static final class Run extends KernelRun {
        private final int size;
        private final int tiles;
        private final int columns;
        private final float[] matrix;
        private final float[] decomposed;
        private DeviceMemory deviceMatrix;

        Run(GpuContext context, int size, long seed) {
            super(context, "lud");
            this.size = size;
            tiles = Blocks.covering(size, SIDE);
            columns = tiles * SIDE;
            matrix = matrix(seed);
            decomposed = new float[matrix.length];
        }

        private float[] matrix(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            float[] elements = new float[columns * columns];
            for (int row = 0; row < columns; row++) {
                for (int column = 0; row < size && column < size; column++) {
                    elements[row * columns + column] = random.nextFloat(-1, 1);
                }
                elements[row * columns + row] = row < size ? size + random.nextFloat() : 1;
            }
            return elements;
        }

        @Override
        void allocateMemory() {
            deviceMatrix = allocateWords(matrix.length);
        }

        @Override
        public void copyIn() {
            copyIn(deviceMatrix, MemorySegment.ofArray(matrix));
        }

        @Override
        public void launch() {
            for (int step = 0; step < tiles; step++) {
                Arguments arguments = new Arguments().pointer(deviceMatrix).i32(columns).i32(step);
                run("diagonal", squares(1, 1), arguments);
                int rest = tiles - 1 - step;
                if (rest > 0) {
                    run("perimeter", squares(rest, 2), arguments);
                    run("internal", squares(rest, rest), arguments);
                }
            }
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            copyOut(result(), deviceMatrix);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(decomposed);
        }

        @Override
        public void verify() {
            Results.requireEqual("matrix", decomposed, decompose(matrix.clone(), columns));
        }

        /// Returns the work of the run: a division for each element below the diagonal, and for
        /// each diagonal element a product and a subtraction for each element to the right of and
        /// below it.
        @Override
        public Work work() {
            long n = size;
            return done(n * (n - 1) / 2 + n * (n - 1) * (2 * n - 1) / 3, "flop");
        }
    }
}

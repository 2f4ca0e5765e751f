package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.row;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Points nearest to a given point: the GPU computes all distances, and the host selects the
/// shortest.
///
/// The result is verified bit by bit. The kernel corrects the approximate root of the
/// multi-function unit, so that the root is rounded as by [Math#sqrt].
final class NearestNeighbours implements Workload {
    /// Number of selected points.
    private static final int NEAREST = 10;

    private static final float LATITUDES = 90;
    private static final float LONGITUDES = 180;

    /// Number of operations per point: two subtractions, a product, a product with sum, a root.
    private static final int OPERATIONS = 6;

    private static final WorkloadSize SIZE = new WorkloadSize("points", 1, 1 << 18, 1 << 23);

    @Override
    public String name() {
        return "nn";
    }

    @Override
    public String summary() {
        return "finds the points nearest to one: mostly copies";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), seed);
    }

    /// Returns the indices of the shortest distances, in ascending order of distance, then of
    /// index.
    private static int[] nearest(float[] distances) {
        int[] nearest = new int[Math.min(NEAREST, distances.length)];
        int found = 0;
        for (int i = 0; i < distances.length; i++) {
            if (found == nearest.length && !(distances[i] < distances[nearest[found - 1]])) {
                continue;
            }
            int at = found < nearest.length ? found++ : found - 1;
            for (; at > 0 && distances[i] < distances[nearest[at - 1]]; at--) {
                nearest[at] = nearest[at - 1];
            }
            nearest[at] = i;
        }
        return nearest;
    }

    private static final class Run extends KernelRun {
        private final int n;
        private final float[] points;
        private final float x;
        private final float y;
        private final float[] distances;
        private DeviceMemory devicePoints;
        private DeviceMemory deviceDistances;

        Run(GpuContext context, int n, long seed) {
            super(context, "nn");
            this.n = n;
            points = new float[2 * n];
            distances = new float[n];
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < n; i++) {
                points[2 * i] = random.nextFloat(LATITUDES);
                points[2 * i + 1] = random.nextFloat(LONGITUDES);
            }
            // The given point is one of the points, so that a root of zero occurs.
            int given = random.nextInt(n);
            x = points[2 * given];
            y = points[2 * given + 1];
        }

        @Override
        void allocateMemory() {
            devicePoints = allocateWords(points.length);
            deviceDistances = allocateWords(n);
        }

        @Override
        public void copyIn() {
            copyIn(devicePoints, MemorySegment.ofArray(points));
        }

        @Override
        public void launch() {
            Arguments arguments =
                    new Arguments()
                            .pointer(devicePoints)
                            .pointer(deviceDistances)
                            .i32(n)
                            .f32(x)
                            .f32(y);
            run("nn", row(n), arguments);
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            copyOut(result(), deviceDistances);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(distances);
        }

        @Override
        public void verify() {
            float[] expected = expectedDistances();
            Results.requireEqual("distances", distances, expected);
            Results.requireEqual("nearest", nearest(distances), expectedNearest(expected));
        }

        private float[] expectedDistances() {
            float[] expected = new float[n];
            for (int i = 0; i < n; i++) {
                float dx = points[2 * i] - x;
                float dy = points[2 * i + 1] - y;
                expected[i] = (float) Math.sqrt(Math.fma(dy, dy, dx * dx));
            }
            return expected;
        }

        /// Selects the shortest distance, then the shortest remaining distance, and so on.
        private static int[] expectedNearest(float[] distances) {
            float[] rest = distances.clone();
            int[] nearest = new int[Math.min(NEAREST, rest.length)];
            for (int found = 0; found < nearest.length; found++) {
                int least = 0;
                for (int i = 1; i < rest.length; i++) {
                    least = rest[i] < rest[least] ? i : least;
                }
                nearest[found] = least;
                rest[least] = Float.POSITIVE_INFINITY;
            }
            return nearest;
        }

        @Override
        public Work work() {
            return done((long) n * OPERATIONS, "flop");
        }
    }
}

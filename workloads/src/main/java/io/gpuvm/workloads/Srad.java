package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.THREADS;
import static io.gpuvm.workloads.Blocks.covering;
import static io.gpuvm.workloads.Blocks.plane;
import static io.gpuvm.workloads.Blocks.row;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;

/// Speckle reducing anisotropic diffusion of an image.
///
/// The result is verified within [#TOLERANCE]. The multi-function unit computes exponentials,
/// logarithms and reciprocals with errors of a few units in the last place, which differ between
/// GPUs, and the order of sums differs from the CPU's. Diffusion reduces such differences; it does
/// not amplify them.
final class Srad implements Workload {
    /// Tolerance of brightness, whose maximum is 255.
    static final float TOLERANCE = 0.0005f;

    private static final int ITERATIONS = 20;

    /// Number of operations per pixel and iteration: square and two sums; differences, gradient,
    /// Laplacian, both relative to the pixel; variation, coefficient; flow.
    private static final int OPERATIONS = 3 + 4 + 7 + 3 + 4 + 9 + 4 + 9;

    /// Sizes with enough pixels that brightness still varies after all iterations. If brightness
    /// hardly varies, the strength of the speckle depends on the rounding of sums.
    private static final WorkloadSize SIZE =
            new WorkloadSize("rows and columns of the image", 8, 256, 4000);

    @Override
    public String name() {
        return "srad";
    }

    @Override
    public String summary() {
        return "removes speckle from an image: stencils, reductions, two numbers read per step";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        SIZE.check(size);
        return new Run(context, SpeckleImage.random(size, size, seed));
    }

    /// Run for an image with any numbers of rows and columns.
    static final class Run extends KernelRun {
        private final SpeckleImage image;
        private final int n;
        private final float[] result;
        private DeviceMemory deviceImage;
        private DeviceMemory squares;
        private DeviceMemory differences;
        private DeviceMemory coefficients;

        /// Two buffers of partial sums of the pixels, followed by partial sums of the squares. Each
        /// reduction step reads one buffer and writes the other.
        private final DeviceMemory[] sums = new DeviceMemory[2];

        Run(GpuContext context, SpeckleImage image) {
            super(context, "srad");
            this.image = image;
            n = image.pixels().length;
            result = new float[n];
        }

        @Override
        void allocateMemory() {
            deviceImage = allocateWords(n);
            squares = allocateWords(n);
            differences = allocateWords(4L * n);
            coefficients = allocateWords(n);
            for (int i = 0; i < sums.length; i++) {
                sums[i] = allocateWords(2L * covering(n, THREADS));
            }
        }

        @Override
        public void copyIn() {
            copyIn(deviceImage, MemorySegment.ofArray(image.pixels()));
        }

        @Override
        public void launch() {
            Arguments pixels = new Arguments().pointer(deviceImage).i32(n);
            run("extract", row(n), pixels);
            for (int i = 0; i < ITERATIONS; i++) {
                iterate();
            }
            run("compress", row(n), pixels);
            stream().synchronize();
        }

        private void iterate() {
            float speckle = speckle();
            Arguments coefficientArguments =
                    stencilArguments().f32(speckle).f32(1 / (speckle * (1 + speckle)));
            run("coefficients", plane(image.columns(), image.rows()), coefficientArguments);
            Arguments diffuseArguments = stencilArguments().f32(SpeckleImage.RATE);
            run("diffuse", plane(image.columns(), image.rows()), diffuseArguments);
        }

        private Arguments stencilArguments() {
            return new Arguments()
                    .pointer(deviceImage)
                    .pointer(differences)
                    .pointer(coefficients)
                    .i32(image.columns())
                    .i32(image.rows());
        }

        private float speckle() {
            run("square", row(n), new Arguments().pointer(deviceImage).pointer(squares).i32(n));
            int left = covering(n, THREADS);
            Arguments pixels = new Arguments().pointer(deviceImage).pointer(squares);
            run("reduce", row(n), reduceArguments(pixels, sums[0], left).i32(n));
            int last = 0;
            while (left > 1) {
                int next = covering(left, THREADS);
                Arguments parts =
                        new Arguments()
                                .pointer(sums[last])
                                .pointer(sums[last], (long) left * Float.BYTES);
                run("reduce", row(left), reduceArguments(parts, sums[1 - last], next).i32(left));
                last = 1 - last;
                left = next;
            }
            float[] both = new float[2];
            fetch(MemorySegment.ofArray(both), sums[last]);
            return (float) SpeckleImage.speckle(both[0], both[1], n);
        }

        private static Arguments reduceArguments(Arguments of, DeviceMemory to, int blocks) {
            return of.pointer(to).pointer(to, (long) blocks * Float.BYTES);
        }

        @Override
        public void copyOut() {
            copyOut(result(), deviceImage);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(result);
        }

        @Override
        public void verify() {
            float[] expected = image.diffused(ITERATIONS);
            for (int i = 0; i < n; i++) {
                // Negated, so that NaN also fails.
                if (!(Math.abs(result[i] - expected[i]) <= TOLERANCE)) {
                    throw new WrongResultException("image", i, result[i], expected[i]);
                }
            }
        }

        @Override
        public Work work() {
            return done((long) n * ITERATIONS * OPERATIONS, "flop");
        }
    }
}

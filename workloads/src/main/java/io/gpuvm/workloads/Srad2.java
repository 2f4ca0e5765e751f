package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.plane;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;

/// Speckle reducing anisotropic diffusion of an image, with the division of work of Rodinia's
/// second version: the host derives the strength of the speckle from a region of the image, and
/// copies the whole image to the GPU and back in each iteration; two kernels with tiles in shared
/// memory compute.
///
/// The image consists of exponentials of the brightness, from 1 to e. The result is verified within
/// [#TOLERANCE], for the reasons that [Srad] states.
final class Srad2 implements Workload {
    /// Tolerance of a pixel from 1 to e.
    static final float TOLERANCE = 5e-6f;

    private static final int ITERATIONS = 8;

    /// Number of operations per pixel and iteration: differences, gradient, Laplacian, both
    /// relative to the pixel; variation, coefficient; flow.
    private static final int OPERATIONS = 4 + 7 + 3 + 4 + 9 + 4 + 9;

    /// Sizes whose region has at least 64 pixels.
    private static final WorkloadSize SIZE =
            new WorkloadSize("rows and columns of the image", 16, 256, 4000);

    @Override
    public String name() {
        return "srad2";
    }

    @Override
    public String summary() {
        return "removes speckle as srad does: tiles, and the image copied both ways per step";
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

        /// Image between two iterations; finally the result.
        private final float[] current;

        private DeviceMemory deviceImage;
        private DeviceMemory differences;
        private DeviceMemory coefficients;

        Run(GpuContext context, SpeckleImage image) {
            super(context, "srad2");
            this.image = image;
            current = new float[image.pixels().length];
        }

        @Override
        void allocateMemory() {
            deviceImage = allocateWords(current.length);
            differences = allocateWords(4L * current.length);
            coefficients = allocateWords(current.length);
        }

        @Override
        public void copyIn() {
            System.arraycopy(image.exponentials(), 0, current, 0, current.length);
            copyIn(deviceImage, result());
        }

        @Override
        public void launch() {
            iterate();
            for (int i = 1; i < ITERATIONS; i++) {
                fetch(result(), deviceImage);
                send(deviceImage, result());
                iterate();
            }
            stream().synchronize();
        }

        private void iterate() {
            float speckle = (float) image.speckleOfRegion(current);
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

        @Override
        public void copyOut() {
            copyOut(result(), deviceImage);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(current);
        }

        @Override
        public void verify() {
            float[] expected = image.diffusedByRegion(ITERATIONS);
            for (int i = 0; i < expected.length; i++) {
                // Negated, so that NaN also fails.
                if (!(Math.abs(current[i] - expected[i]) <= TOLERANCE)) {
                    throw new WrongResultException("image", i, current[i], expected[i]);
                }
            }
        }

        @Override
        public Work work() {
            return done((long) current.length * ITERATIONS * OPERATIONS, "flop");
        }
    }
}

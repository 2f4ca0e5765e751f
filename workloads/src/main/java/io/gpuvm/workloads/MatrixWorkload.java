package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.guest.Arguments;
import io.gpuvm.pv.guest.DeviceMemory;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.pv.guest.GpuKernel;
import io.gpuvm.pv.guest.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The sum or the product of two square matrices.
///
/// The result is compared bit for bit, also of floats: the GPU rounds to nearest and keeps
/// denormals as Java does, and each element of a product is the same sequence of fused
/// multiply-adds on both sides, so they have no reason to differ.
///
/// @param name also that of the source and of its kernel
record MatrixWorkload(String name, MatrixElement element, MatrixOperation operation)
        implements Workload {
    /// The most rows and columns: offsets in a matrix stay far below 4 GiB.
    static final int LARGEST = 8192;

    /// Rows and columns of a block of threads, and of a tile. The kernels have the same.
    private static final int TILE = 16;

    @Override
    public String summary() {
        return operation.summary(element);
    }

    @Override
    public WorkloadSize size() {
        return operation.size();
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, size().check(size), seed);
    }

    private final class Run extends GpuRun {
        private final Cubin cubin = KernelSource.assembled(name);
        private final int n;
        private final int[] a;
        private final int[] b;
        private final int[] result;
        private GpuKernel kernel;
        private DeviceMemory deviceA;
        private DeviceMemory deviceB;
        private DeviceMemory deviceResult;

        Run(GpuContext context, int n, long seed) {
            super(context);
            this.n = n;
            SplittableRandom random = new SplittableRandom(seed);
            a = randomMatrix(random);
            b = randomMatrix(random);
            result = new int[n * n];
        }

        @Override
        public void initialize() {
            kernel = load(cubin).kernel(name);
            deviceA = allocate(bytes());
            deviceB = allocate(bytes());
            deviceResult = allocate(bytes());
        }

        @Override
        public void copyIn() {
            stream().copyToDevice(deviceA, 0, MemorySegment.ofArray(a));
            stream().copyToDevice(deviceB, 0, MemorySegment.ofArray(b));
            stream().synchronize();
        }

        @Override
        public void launch() {
            int tiles = Math.ceilDiv(n, TILE);
            Arguments arguments =
                    new Arguments().pointer(deviceA).pointer(deviceB).pointer(deviceResult).i32(n);
            stream().launch(kernel, LaunchShape.of(tiles, tiles, TILE, TILE), arguments);
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            stream().copyToHost(MemorySegment.ofArray(result), deviceResult, 0);
        }

        @Override
        public void verify() {
            int[] expected = operation.expected(element, n, a, b);
            int at = Arrays.mismatch(result, expected);
            if (at >= 0) {
                throw new WrongResultException(
                        operation.result(),
                        at,
                        element.value(result[at]),
                        element.value(expected[at]));
            }
        }

        @Override
        public Work work() {
            return new Work(2 * bytes(), bytes(), 1, operation.operations(n), element.operation());
        }

        private long bytes() {
            return (long) n * n * Integer.BYTES;
        }

        private int[] randomMatrix(SplittableRandom random) {
            int[] matrix = new int[n * n];
            for (int i = 0; i < matrix.length; i++) {
                matrix[i] = element.random(random);
            }
            return matrix;
        }
    }
}

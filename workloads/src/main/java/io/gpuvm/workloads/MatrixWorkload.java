package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Sum or product of two square matrices, verified bit by bit.
///
/// @param name name of the workload, of its source and of its kernel
record MatrixWorkload(String name, MatrixElement element, MatrixOperation operation)
        implements Workload {
    /// Maximum number of rows and of columns: offsets in a matrix stay far below 4 GiB.
    static final int LARGEST = 8192;

    /// Number of rows and columns of a block of threads, and of a tile, as in the kernels.
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
        return new Run(context, MatrixProblem.random(element, operation, size().check(size), seed));
    }

    private final class Run extends GpuRun {
        private final Cubin cubin = KernelSource.assembled(name);
        private final MatrixProblem problem;
        private final int[] result;
        private GpuKernel kernel;
        private DeviceMemory deviceA;
        private DeviceMemory deviceB;
        private DeviceMemory deviceResult;

        Run(GpuContext context, MatrixProblem problem) {
            super(context);
            this.problem = problem;
            result = new int[problem.a().length];
        }

        @Override
        public void initialize() {
            kernel = load(cubin).kernel(name);
            deviceA = allocate(problem.bytes());
            deviceB = allocate(problem.bytes());
            deviceResult = allocate(problem.bytes());
        }

        @Override
        public void copyIn() {
            stream().copyToDevice(deviceA, 0, MemorySegment.ofArray(problem.a()));
            stream().copyToDevice(deviceB, 0, MemorySegment.ofArray(problem.b()));
            stream().synchronize();
        }

        @Override
        public void launch() {
            int tiles = Math.ceilDiv(problem.n(), TILE);
            Arguments arguments =
                    new Arguments()
                            .pointer(deviceA)
                            .pointer(deviceB)
                            .pointer(deviceResult)
                            .i32(problem.n());
            stream().launch(kernel, LaunchShape.of(tiles, tiles, TILE, TILE), arguments);
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            stream().copyToHost(MemorySegment.ofArray(result), deviceResult, 0);
        }

        @Override
        public void verify() {
            problem.verify(result);
        }

        @Override
        public Work work() {
            return problem.work();
        }
    }
}

package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Long computation without data: each thread executes a number of steps of a linear congruential
/// generator, [Congruence#STEP], and stores only the last value. Thread `i` starts from the low
/// word of the seed, plus `i`.
///
/// The CPU needs no loop to verify the result: two consecutive steps equal one step with other
/// constants, so that verification takes time logarithmic in the number of steps.
final class Loop implements Workload {
    /// Number of blocks: several for each multiprocessor of a GF100.
    static final int BLOCKS = 64;

    static final int THREADS_OF_BLOCK = 256;
    static final int THREADS = BLOCKS * THREADS_OF_BLOCK;

    private static final int OPERATIONS_OF_STEP = 2;
    private static final WorkloadSize SIZE =
            new WorkloadSize("steps of each thread", 1, 10_000, 100_000_000);

    @Override
    public String name() {
        return "loop";
    }

    @Override
    public String summary() {
        return "a long loop in %d threads, without data: pure computation".formatted(THREADS);
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), (int) seed);
    }

    /// Returns the last values of the threads.
    ///
    /// @param first initial value of thread 0
    static int[] expected(int steps, int first) {
        Congruence all = Congruence.STEP.times(steps);
        int[] expected = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            expected[i] = all.apply(first + i);
        }
        return expected;
    }

    private static final class Run extends GpuRun {
        private final Cubin cubin = KernelSource.assembled("loop");
        private final int[] result = new int[THREADS];
        private final int steps;
        private final int first;
        private GpuKernel kernel;
        private DeviceMemory deviceResult;

        Run(GpuContext context, int steps, int first) {
            super(context);
            this.steps = steps;
            this.first = first;
        }

        @Override
        public void initialize() {
            kernel = load(cubin).kernel("loop");
            deviceResult = allocate((long) THREADS * Integer.BYTES);
        }

        @Override
        public void copyIn() {}

        @Override
        public void launch() {
            stream()
                    .launch(
                            kernel,
                            LaunchShape.of(BLOCKS, THREADS_OF_BLOCK),
                            new Arguments().pointer(deviceResult).i32(steps).i32(first));
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            stream().copyToHost(MemorySegment.ofArray(result), deviceResult, 0);
        }

        @Override
        public void verify() {
            Results.requireEqual("result", result, expected(steps, first));
        }

        @Override
        public Work work() {
            long operations = (long) THREADS * steps * OPERATIONS_OF_STEP;
            return new Work(0, deviceResult.bytes(), 1, operations, "op");
        }
    }
}

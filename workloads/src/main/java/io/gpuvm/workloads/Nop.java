package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;

/// Launches of an empty kernel by a single thread: measures the cost of a launch.
final class Nop implements Workload {
    private static final WorkloadSize SIZE = new WorkloadSize("launches", 1, 10_000, 100_000_000);

    @Override
    public String name() {
        return "nop";
    }

    @Override
    public String summary() {
        return "launches an empty kernel repeatedly: the cost of a launch";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size));
    }

    private static final class Run extends GpuRun {
        private final Cubin cubin = KernelSource.assembled("nop");
        private final int launches;
        private GpuKernel kernel;

        Run(GpuContext context, int launches) {
            super(context);
            this.launches = launches;
        }

        @Override
        public void initialize() {
            kernel = load(cubin).kernel("nop");
        }

        @Override
        public void copyIn() {}

        @Override
        public void launch() {
            GpuStream stream = stream();
            LaunchShape shape = LaunchShape.of(1, 1);
            Arguments none = new Arguments();
            for (int i = 0; i < launches; i++) {
                stream.launch(kernel, shape, none);
            }
            stream.synchronize();
        }

        @Override
        public void copyOut() {}

        /// Does nothing: an empty kernel has no result, and [#launch()] reports failed launches.
        @Override
        public void verify() {}

        @Override
        public Work work() {
            return new Work(0, 0, launches, 0, "op");
        }
    }
}

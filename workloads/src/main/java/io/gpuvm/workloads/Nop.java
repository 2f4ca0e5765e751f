package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;

/// Launches of an empty kernel by a single thread. `nop` waits after the last launch and measures
/// the cost of a launch; `delay` waits after each launch and measures the time from its submission
/// to its completion.
final class Nop implements Workload {
    private static final WorkloadSize SIZE = new WorkloadSize("launches", 1, 10_000, 100_000_000);

    private final boolean waitsEachTime;

    private Nop(boolean waitsEachTime) {
        this.waitsEachTime = waitsEachTime;
    }

    /// Returns the workload that waits after the last launch only.
    static Nop nop() {
        return new Nop(false);
    }

    /// Returns the workload that waits after each launch.
    static Nop delay() {
        return new Nop(true);
    }

    @Override
    public String name() {
        return waitsEachTime ? "delay" : "nop";
    }

    @Override
    public String summary() {
        return waitsEachTime
                ? "launches an empty kernel and waits, repeatedly: the delay of a queue"
                : "launches an empty kernel repeatedly: the cost of a launch";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), waitsEachTime);
    }

    private static final class Run extends GpuRun {
        private final Cubin cubin = KernelSource.assembled("nop");
        private final int launches;
        private final boolean waitsEachTime;
        private GpuKernel kernel;

        Run(GpuContext context, int launches, boolean waitsEachTime) {
            super(context);
            this.launches = launches;
            this.waitsEachTime = waitsEachTime;
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
                if (waitsEachTime) {
                    stream.synchronize();
                }
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

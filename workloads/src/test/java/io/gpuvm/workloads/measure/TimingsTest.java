package io.gpuvm.workloads.measure;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.NativeGpu;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.WorkloadSize;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.WrongResultException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of timed runs on a software GPU.
class TimingsTest {
    private static final int SIZE = 40;
    private static final int SEED = 7;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loop",
                "madd",
                "mmul",
                "fmadd",
                "fmmul",
                "cpy",
                "pincpy",
                "backprop",
                "bfs",
                "hotspot",
                "lud",
                "nn",
                "nw",
                "srad",
                "srad2",
                "heartwall",
                "mix"
            })
    void givenResultOfEarlierRun_whenLaterRunSkipsKernels_thenResultIsWrong(String name) {
        Workload workload = Workloads.named(name);
        try (NativeGpu gpu = new NativeGpu("vram=64M");
                GpuContext context = gpu.openContext()) {
            Timings.of(new Task(workload, SIZE), context, SEED);

            assertThrows(
                    WrongResultException.class,
                    () -> Timings.of(new Task(new Idle(workload), SIZE), context, SEED));
        }
    }

    /// Workload that neither copies its input nor runs its kernels.
    private record Idle(Workload workload) implements Workload {
        @Override
        public String name() {
            return workload.name();
        }

        @Override
        public String summary() {
            return workload.summary();
        }

        @Override
        public WorkloadSize size() {
            return workload.size();
        }

        @Override
        public WorkloadRun prepare(GpuContext context, int size, long seed) {
            return new IdleRun(workload.prepare(context, size, seed));
        }
    }

    private record IdleRun(WorkloadRun run) implements WorkloadRun {
        @Override
        public void initialize() {
            run.initialize();
        }

        @Override
        public void wipe() {
            run.wipe();
        }

        @Override
        public void copyIn() {}

        @Override
        public void launch() {}

        @Override
        public void copyOut() {
            run.copyOut();
        }

        @Override
        public void verify() {
            run.verify();
        }

        @Override
        public Work work() {
            return run.work();
        }

        @Override
        public void close() {
            run.close();
        }
    }
}

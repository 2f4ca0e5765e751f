package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.tests.gpu.RunningGpu;
import org.junit.jupiter.api.Test;

class LaunchDelayTest {
    private static final int COUNT = 30;

    @Test
    void givenIdleGpu_whenMeasured_thenOneDelayPerLaunchIsReturned() {
        try (RunningGpu gpu = RunningGpu.of("vram=64M");
                GpuContext context = GpuContext.open(NativeTransport.open(gpu.device()))) {
            long startNs = System.nanoTime();
            long[] ns = LaunchDelay.measure(context, COUNT);
            long elapsedNs = System.nanoTime() - startNs;

            assertEquals(COUNT, ns.length);
            long sumNs = 0;
            for (long each : ns) {
                assertTrue(each > 0, () -> "delay=" + each);
                sumNs += each;
            }
            assertTrue(sumNs <= elapsedNs, "sum=%d, elapsed=%d".formatted(sumNs, elapsedNs));
            assertEquals(COUNT + LaunchDelay.WARM_UP, launches(gpu.device()));
        }
    }

    private static long launches(SoftGpu gpu) {
        return gpu.counters().get(WorkCounter.COMPUTE_LAUNCHES);
    }
}

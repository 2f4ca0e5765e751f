package io.gpuvm.workloads;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.time.Duration;

/// A software GPU with the thread of its engines, for one context after another.
public final class NativeGpu implements AutoCloseable {
    /// What executes kernels in tests: the interpreter, unless a system property names another.
    private static final String ENGINE = System.getProperty("gpuvm.test.engine", "interpreter");

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(10);

    private final SoftGpu gpu;
    private final AgentThread engines;
    private volatile Throwable failure;

    /// @param settings as on the command line: `vram=64M`
    public NativeGpu(String settings) {
        gpu =
                new SoftGpu(
                        SoftGpuConfig.parse("display=off,engine=%s,".formatted(ENGINE) + settings));
        Parking parking = new Parking(new ThreadWait());
        gpu.wakes(parking);
        engines =
                new AgentThread(
                                gpu.engines(),
                                parking,
                                AgentThread.NO_SPIN,
                                error -> failure = error)
                        .daemon();
        engines.start();
    }

    /// A context straight on the GPU, which whoever asked closes before asking again.
    public GpuContext openContext() {
        return GpuContext.open(NativeTransport.open(gpu));
    }

    @Override
    public void close() {
        engines.end(JOIN_LIMIT);
        gpu.close();
        if (failure != null) {
            throw new AssertionError("the engines ended", failure);
        }
        long leftOut = gpu.counters().snapshot().get("KERNELS_LEFT_OUT");
        if (leftOut > 0) {
            throw new AssertionError("%d kernels that were not compiled".formatted(leftOut));
        }
    }
}

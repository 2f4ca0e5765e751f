package io.gpuvm.tests.gpu;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.options.KeyValues;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.time.Duration;
import java.util.Map;

/// Software GPU with its engine thread.
public final class RunningGpu implements AutoCloseable {
    /// Execution mode in tests: the interpreter, unless a system property specifies another mode.
    private static final String ENGINE = System.getProperty("gpuvm.test.engine", "interpreter");

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(10);

    private final SoftGpu gpu;
    private final AgentThread thread;
    private volatile Throwable failure;

    /// Starts a small GPU with one worker.
    ///
    /// @param settings settings as on the command line, which override those of the small GPU
    public RunningGpu(String settings) {
        this("vram=64M,workers=1,", settings);
    }

    public RunningGpu() {
        this("bar1=128M");
    }

    private RunningGpu(String usual, String settings) {
        Map<String, String> all =
                KeyValues.parse("%sdisplay=off,engine=%s".formatted(usual, ENGINE));
        all.putAll(KeyValues.parse(settings));
        gpu = new SoftGpu(SoftGpuConfig.parse(KeyValues.text(all)));
        Parking parking = new Parking(new ThreadWait());
        gpu.wakes(parking);
        thread =
                new AgentThread(
                                gpu.engines(),
                                parking,
                                AgentThread.NO_SPIN,
                                error -> failure = error)
                        .daemon();
        thread.start();
    }

    /// Starts a GPU with the product's defaults, except that it has no display.
    ///
    /// @param settings settings as on the command line: `vram=64M`
    public static RunningGpu of(String settings) {
        return new RunningGpu("", settings);
    }

    public SoftGpu device() {
        return gpu;
    }

    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
        gpu.close();
        if (failure != null) {
            throw new AssertionError("the engines have ended", failure);
        }
        long leftOut = gpu.counters().snapshot().get("KERNELS_LEFT_OUT");
        if (leftOut > 0) {
            throw new AssertionError("kernels not compiled=%d, limit=0".formatted(leftOut));
        }
    }
}

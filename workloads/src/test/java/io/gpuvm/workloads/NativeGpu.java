package io.gpuvm.workloads;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A software GPU with the thread of its engines, for one context after another.
public final class NativeGpu implements AutoCloseable {
    /// What executes kernels in tests: the interpreter, unless a system property names another.
    private static final String ENGINE = System.getProperty("gpuvm.test.engine", "interpreter");

    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final SoftGpu gpu;
    private final Thread engines;
    private volatile boolean running = true;
    private volatile Throwable failure;

    /// @param settings as on the command line: `vram=64M`
    public NativeGpu(String settings) {
        gpu =
                new SoftGpu(
                        SoftGpuConfig.parse("display=off,engine=%s,".formatted(ENGINE) + settings));
        engines = Thread.ofPlatform().name("engines").daemon().unstarted(this::run);
        gpu.onWork(() -> LockSupport.unpark(engines));
        engines.start();
    }

    /// A context straight on the GPU, which whoever asked closes before asking again.
    public GpuContext openContext() {
        return GpuContext.open(NativeTransport.open(gpu));
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(engines);
        try {
            engines.join(JOIN_MS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        gpu.close();
        if (failure != null) {
            throw new AssertionError("the engines ended", failure);
        }
        long leftOut = gpu.counters().snapshot().get("KERNELS_LEFT_OUT");
        if (leftOut > 0) {
            throw new AssertionError("%d kernels that were not compiled".formatted(leftOut));
        }
    }

    private void run() {
        try {
            while (running) {
                if (gpu.doWork() == 0 && gpu.prepareToPark()) {
                    park(gpu.nanosUntilWork());
                }
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private void park(long nanos) {
        if (running && nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }
}

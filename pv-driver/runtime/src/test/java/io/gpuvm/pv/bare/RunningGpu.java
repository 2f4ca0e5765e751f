package io.gpuvm.pv.bare;

import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A software GPU with the thread of its engines.
public final class RunningGpu implements AutoCloseable {
    /// What executes kernels in tests: the interpreter, unless a system property names another.
    private static final String ENGINE = System.getProperty("gpuvm.test.engine", "interpreter");

    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final SoftGpu gpu;
    private final Thread thread;
    private volatile boolean running = true;
    private volatile Throwable failure;

    /// @param settings as on the command line, after small defaults
    public RunningGpu(String settings) {
        String usual = "vram=64M,display=off,workers=1,engine=%s,".formatted(ENGINE);
        gpu = new SoftGpu(SoftGpuConfig.parse(usual + settings));
        thread = Thread.ofPlatform().name("engines").daemon().unstarted(this::run);
        gpu.onWork(() -> LockSupport.unpark(thread));
        thread.start();
    }

    public RunningGpu() {
        this("bar1=128M");
    }

    public SoftGpu device() {
        return gpu;
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MS);
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
                    long nanos = gpu.nanosUntilWork();
                    if (running && nanos > 0) {
                        LockSupport.parkNanos(nanos);
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }
}

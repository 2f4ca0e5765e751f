package io.gpuvm.pv.bare;

import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A software GPU with the thread of its engines.
public final class RunningGpu implements AutoCloseable {
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final SoftGpu gpu;
    private final Thread thread;
    private volatile boolean running = true;
    private volatile Throwable failure;

    /// @param settings as on the command line, after small defaults
    public RunningGpu(String settings) {
        gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M,display=off,workers=1," + settings));
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

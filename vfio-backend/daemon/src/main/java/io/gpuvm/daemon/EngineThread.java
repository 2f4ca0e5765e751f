package io.gpuvm.daemon;

import io.gpuvm.softgpu.SoftGpu;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread on which a software GPU's engines run. Sleeps while there is nothing to do, and is
/// woken by the GPU when a doorbell rings.
final class EngineThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);

    private final SoftGpu gpu;
    private final Thread thread;
    private final Runnable onFailure;
    private volatile boolean running = true;

    /// @param onFailure told, on the engines' thread, when it ended by an error of ours
    EngineThread(SoftGpu gpu, Runnable onFailure) {
        this.gpu = gpu;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("gpuvm-softgpu").unstarted(this::run);
    }

    void start() {
        gpu.onWork(() -> LockSupport.unpark(thread));
        thread.start();
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
            LOG.error("software GPU: engines ended by an internal error", e);
            onFailure.run();
        }
    }

    private void park(long nanos) {
        if (running && nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }
}

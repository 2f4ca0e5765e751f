package io.gpuvm.backend;

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
    private volatile boolean running = true;

    EngineThread(SoftGpu gpu) {
        this.gpu = gpu;
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
        while (running) {
            try {
                if (gpu.doWork() == 0 && gpu.prepareToPark()) {
                    park(gpu.nanosUntilWork());
                }
            } catch (RuntimeException | Error e) {
                LOG.error("software GPU: internal error, engines go on", e);
            }
        }
    }

    private void park(long nanos) {
        if (running && nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }
}

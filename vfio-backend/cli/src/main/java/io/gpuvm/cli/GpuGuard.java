package io.gpuvm.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A command's use of a GPU. A signal (Ctrl-C, SIGTERM) may end the use at any time: the JVM then
/// closes the GPU and exits with the status of that signal.
final class GpuGuard {
    private static final Logger LOG = LoggerFactory.getLogger(GpuGuard.class);

    /// Deadline for the shutdown, longer than the deadline of each thread.
    private static final int STOP_LIMIT_SECONDS = 20;

    private final GpuSession gpu;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean signalled;

    private GpuGuard(GpuSession gpu) {
        this.gpu = gpu;
    }

    /// Opens a GPU, executes the work, and closes the GPU.
    ///
    /// @param work receives the open GPU; a failure after a signal is not an error
    static void use(Supplier<GpuSession> opener, Consumer<GpuSession> work) {
        new GpuGuard(opener.get()).run(work);
    }

    private void run(Consumer<GpuSession> work) {
        Thread hook = new Thread(this::onShutdown, "gpuvm-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (gpu) {
            work.accept(gpu);
        } catch (RuntimeException e) {
            if (!signalled) {
                throw e;
            }
        } finally {
            closed.countDown();
            remove(hook);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // After a signal, the hook is already running; all resources are closed.
        }
    }

    private void onShutdown() {
        signalled = true;
        gpu.abort();
        try {
            if (!closed.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("shutdown is not complete, limit={} s", STOP_LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

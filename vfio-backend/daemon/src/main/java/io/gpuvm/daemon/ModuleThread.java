package io.gpuvm.daemon;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Thread that reads the modules of CUDA programs, which would delay other guests on the poller's
/// thread. It exists while modules are read. Any thread.
final class ModuleThread implements Executor, AutoCloseable {
    /// Time after which an idle thread ends.
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(
                    1,
                    1,
                    KEPT.toNanos(),
                    TimeUnit.NANOSECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().name("gpuvm-modules").daemon().factory());

    ModuleThread() {
        executor.allowCoreThreadTimeOut(true);
    }

    /// Runs a task, unless the thread is closed.
    @Override
    public void execute(Runnable task) {
        if (!executor.isShutdown()) {
            executor.execute(task);
        }
    }

    /// Ends the thread; tasks that have not begun do not run. Called after the end of the poller.
    @Override
    public void close() {
        executor.shutdownNow();
    }
}

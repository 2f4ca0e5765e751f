package io.gpuvm.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shutdown of a command that serves until a signal ends it, or until a part fails. At most one per
/// process: it ends with the JVM. Any thread.
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final int limitSeconds;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicBoolean failed = new AtomicBoolean();

    /// @param limitSeconds deadline for the shutdown, longer than the deadline of each part
    Shutdown(int limitSeconds) {
        this.limitSeconds = limitSeconds;
    }

    /// Makes signals end the waits. The JVM then ends after [#complete()], or after the deadline.
    void onSignals() {
        // The JVM ends when its hooks have returned, so the hook waits for the shutdown.
        Runtime.getRuntime().addShutdownHook(new Thread(this::onSignal, "gpuvm-stop"));
    }

    private void onSignal() {
        stop.countDown();
        try {
            if (!stopped.await(limitSeconds, TimeUnit.SECONDS)) {
                LOG.error("shutdown is not complete, limit={} s", limitSeconds);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the waits because a part has failed.
    void fail() {
        failed.set(true);
        stop.countDown();
    }

    boolean hasFailed() {
        return failed.get();
    }

    /// Waits for a signal or a failure.
    void await() throws InterruptedException {
        stop.await();
    }

    /// Waits for a signal or a failure.
    ///
    /// @return false if there is none within the time
    boolean await(long nanos) throws InterruptedException {
        return stop.await(nanos, TimeUnit.NANOSECONDS);
    }

    /// Lets the JVM end after a signal: all parts are closed.
    void complete() {
        stopped.countDown();
    }
}

package io.gpuvm.daemon;

import io.gpuvm.pv.host.PvPoller;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread of the poller of paravirtual guests, if it has one of its own.
final class PollerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollerThread.class);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);

    /// How long [IdleMode#BACKOFF] looks without sleeping: longer than a guest needs to read an
    /// answer and to send the next command.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final PvPoller poller;
    private final IdleMode idle;
    private final Runnable onFailure;
    private final Thread thread;
    private volatile boolean running = true;

    /// @param onFailure told, on this thread, when it ended by an error of ours
    PollerThread(PvPoller poller, IdleMode idle, Runnable onFailure) {
        this.poller = poller;
        this.idle = idle;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("gpuvm-pv").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        running = false;
        poller.wake();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(JOIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            long idleSinceNs = System.nanoTime();
            while (running) {
                if (poller.doWork() > 0) {
                    idleSinceNs = System.nanoTime();
                } else if (mustSpin(idleSinceNs)) {
                    Thread.onSpinWait();
                } else {
                    park();
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("paravirtual guests are not served any more: internal error", e);
            onFailure.run();
        }
    }

    private boolean mustSpin(long idleSinceNs) {
        return switch (idle) {
            case BLOCK -> false;
            case SPIN -> poller.hasGuests();
            case BACKOFF -> System.nanoTime() - idleSinceNs < SPIN_NS;
        };
    }

    private void park() {
        if (poller.prepareToPark() && running) {
            poller.park(poller.nanosUntilWork());
        }
        poller.onAwake();
    }
}

package io.gpuvm.daemon;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.host.PvReception;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread on which paravirtual guests are let in and out.
final class ReceptionThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceptionThread.class);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(15);

    /// How long all guests together may take to leave.
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /// How long it does nothing after the kernel has refused something: descriptors are used up,
    /// and come back when somebody leaves.
    private static final long PAUSE_MS = 100;

    private final PvReception reception;
    private final Runnable onFailure;
    private final Thread thread;
    private boolean refusalLogged;
    private volatile boolean running = true;

    /// @param onFailure told, on this thread, when it ended by an error of ours
    ReceptionThread(PvReception reception, Runnable onFailure) {
        this.reception = reception;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("gpuvm-pv-door").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Has all guests leave, and ends the thread. The poller and the GPU's owner still work.
    @Override
    public void close() {
        running = false;
        reception.wake();
        try {
            if (thread.getState() == Thread.State.NEW) {
                reception.close();
            } else {
                thread.join(JOIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (reception) {
            while (running) {
                turn();
            }
            reception.dismissAll();
            long start = System.nanoTime();
            while (!reception.isEmpty() && System.nanoTime() - start < LEAVE_LIMIT_NS) {
                reception.park();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("no paravirtual guest gets in any more: internal error", e);
            onFailure.run();
        }
    }

    private void turn() {
        try {
            if (reception.doWork() == 0) {
                reception.park();
            }
        } catch (LinuxException e) {
            if (!refusalLogged) {
                refusalLogged = true;
                LOG.error("a client of paravirtual guests' sockets: {}", e.getMessage());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

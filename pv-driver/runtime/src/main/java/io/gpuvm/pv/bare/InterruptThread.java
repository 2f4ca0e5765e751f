package io.gpuvm.pv.bare;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread that serves the GPU's interrupts; sleeps while there are none.
final class InterruptThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptThread.class);
    private static final int INTERRUPT = 0;
    private static final int STOP = 1;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);

    private final EventFd interrupt = EventFd.create();
    private final EventFd stop = EventFd.create();
    private final Poller poller = new Poller(2);
    private final Runnable handler;
    private final Consumer<Throwable> onEnd;
    private final Thread thread;
    private volatile boolean running = true;

    /// @param handler serves all that is pending
    /// @param onEnd told, on this thread, if that failed; nothing is served any more
    InterruptThread(Runnable handler, Consumer<Throwable> onEnd) {
        this.handler = handler;
        this.onEnd = onEnd;
        poller.set(INTERRUPT, interrupt.descriptor());
        poller.set(STOP, stop.descriptor());
        thread = Thread.ofPlatform().name("gpuvm-native").daemon().unstarted(this::run);
    }

    /// What the GPU is to signal; valid until [#close()].
    int descriptor() {
        return interrupt.descriptor();
    }

    void start() {
        thread.start();
    }

    /// Ends the thread. The caller must not hold what the handler needs.
    void end() {
        running = false;
        stop.signal();
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        // What it uses is about to go: an interrupt of the caller must not cut this short.
        boolean interrupted = false;
        boolean joined = false;
        while (!joined) {
            try {
                thread.join(JOIN_MS);
                joined = true;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Gives back descriptors, after [#end()] and after the GPU was told to signal no more.
    @Override
    public void close() {
        poller.close();
        stop.close();
        interrupt.close();
    }

    private void run() {
        try {
            while (running) {
                poller.poll(Poller.FOREVER);
                if (interrupt.drain() > 0) {
                    handler.run();
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("the GPU's interrupts are not served any more", e);
            onEnd.accept(e);
        }
    }
}

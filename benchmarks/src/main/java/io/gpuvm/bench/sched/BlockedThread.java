package io.gpuvm.bench.sched;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;

/// Thread that sleeps in a poll until it is woken. Its wake-up time is the minimum cost of
/// blocking.
final class BlockedThread implements AutoCloseable {
    private final EventFd wake = EventFd.create();
    private final Poller poller = new Poller(1);
    private final Thread thread = Thread.ofPlatform().name("blocked").unstarted(this::run);
    private final Ending awake = new Ending();
    private volatile boolean running = true;

    BlockedThread() {
        poller.set(0, wake.descriptor());
        thread.start();
    }

    /// Wakes the thread, which should be asleep.
    ///
    /// @return nanoseconds until it is awake
    long measure() {
        awake.expect();
        long startNs = System.nanoTime();
        wake.signal();
        return awake.await() - startNs;
    }

    @Override
    public void close() {
        running = false;
        wake.signal();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        poller.close();
        wake.close();
    }

    private void run() {
        while (running) {
            poller.poll(Poller.FOREVER);
            wake.drain();
            awake.isNow();
        }
    }
}

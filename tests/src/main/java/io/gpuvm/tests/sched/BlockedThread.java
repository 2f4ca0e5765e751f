package io.gpuvm.tests.sched;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;

/// A thread that sleeps in a poll until it is woken: what everybody pays who blocks.
final class BlockedThread implements AutoCloseable {
    private final EventFd wake = EventFd.create();
    private final Poller poller = new Poller(1);
    private final Thread thread = Thread.ofPlatform().name("blocked").unstarted(this::run);
    private volatile boolean awake;
    private volatile boolean running = true;

    BlockedThread() {
        poller.set(0, wake.descriptor());
        thread.start();
    }

    /// Wakes it; it should be asleep.
    ///
    /// @param turn lets others work
    /// @return nanoseconds until it is seen to be awake
    long measure(Runnable turn) {
        awake = false;
        long startNs = System.nanoTime();
        wake.signal();
        while (!awake) {
            turn.run();
        }
        return System.nanoTime() - startNs;
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
            awake = true;
        }
    }
}

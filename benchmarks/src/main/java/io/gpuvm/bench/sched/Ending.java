package io.gpuvm.bench.sched;

import java.util.concurrent.locks.LockSupport;

/// The moment at which something has ended, told by the thread that saw it. Who waits for it sleeps
/// meanwhile, and leaves the processors to those that work.
final class Ending {
    private static final long NAP_NS = 1_000_000;

    private volatile long atNs;
    private volatile boolean over;

    /// Begins to wait for the next one. Before what is to end is started.
    void expect() {
        over = false;
    }

    /// It is now. Any thread; of several the first counts.
    void isNow() {
        if (!over) {
            atNs = System.nanoTime();
            over = true;
        }
    }

    /// Sleeps until it is over.
    ///
    /// @return when it was, on the clock of [System#nanoTime()]
    long await() {
        while (!over) {
            LockSupport.parkNanos(this, NAP_NS);
        }
        return atNs;
    }
}

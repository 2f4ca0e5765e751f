package io.gpuvm.bench.sched;

import java.util.concurrent.locks.LockSupport;

/// End of an operation, set by the thread that detects it. A waiting thread sleeps, so that the
/// working threads can use the processors.
final class Ending {
    private static final long NAP_NS = 1_000_000;

    private volatile long atNs;
    private volatile boolean over;

    /// Prepares for the next end. Called before the operation is started.
    void expect() {
        over = false;
    }

    /// Sets the end to the current time. Any thread; only the first of several calls counts.
    void isNow() {
        if (!over) {
            atNs = System.nanoTime();
            over = true;
        }
    }

    /// Sleeps until the operation has ended.
    ///
    /// @return time of the end, by [System#nanoTime()]
    long await() {
        while (!over) {
            LockSupport.parkNanos(this, NAP_NS);
        }
        return atNs;
    }
}

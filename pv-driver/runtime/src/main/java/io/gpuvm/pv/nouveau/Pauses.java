package io.gpuvm.pv.nouveau;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Sleeps of threads that poll the GPU. The only event that nouveau offers is the end of a
/// submission, whose interrupt costs a virtual machine more than a poll.
class Pauses {
    private static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Maximum result of [#longInterval].
    private static final long LONGEST_OF_PRESSURE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Ratio of the elapsed wait to the next interval.
    private static final int GROWTH_DIVISOR = 8;

    /// Returns the interval until the next poll, which grows with the elapsed wait.
    static long interval(long waitedNs) {
        return Math.clamp(waitedNs / GROWTH_DIVISOR, SHORTEST_NS, LONGEST_NS);
    }

    /// Returns the interval until the next retry of a request whose refusal nouveau logs as an
    /// error.
    static long longInterval(long waitedNs) {
        return Math.clamp(waitedNs, LONGEST_NS, LONGEST_OF_PRESSURE_NS);
    }

    /// Returns a monotonic time, in nanoseconds.
    long nanoTime() {
        return System.nanoTime();
    }

    /// Sleeps. Returns early if the thread is interrupted, and may return early without a reason.
    void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /// Sleeps for the whole duration. An interrupt does not end the sleep; the thread's interrupt
    /// status is set on return.
    final void pauseFully(long nanos) {
        boolean interrupted = false;
        long startNs = nanoTime();
        for (long leftNs = nanos; leftNs > 0; leftNs = nanos - (nanoTime() - startNs)) {
            interrupted |= Thread.interrupted();
            pause(leftNs);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

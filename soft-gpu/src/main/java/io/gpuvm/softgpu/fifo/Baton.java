package io.gpuvm.softgpu.fifo;

import io.gpuvm.linux.agent.WaitTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// Mutual exclusion for the engines' state: held by the engine thread while it runs a slice, or by
/// the register thread while it changes state that the engines use.
///
/// The engine thread acquires the baton if it is free, and never waits for it. A request of the
/// register thread stops a running slice at its next safepoint, and has precedence from then on.
/// Writes of one holder are visible to the next. A second thread is not required: with one thread,
/// the baton is always free.
final class Baton {
    /// Time within which a slice must reach a safepoint, in nanoseconds; otherwise its channel is
    /// killed. Time in which the host did not run the register thread does not count.
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int SPINS = 2000;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final long limitNs;

    /// Duration of the register thread's current wait.
    private final WaitTime wait;

    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile boolean yieldRequested;
    private volatile boolean killRequested;

    /// @param limitNs time within which a slice must reach a safepoint, in nanoseconds
    Baton(long limitNs) {
        this(limitNs, System::nanoTime);
    }

    /// @param clockNs monotonic clock of the limit, in nanoseconds
    Baton(long limitNs, LongSupplier clockNs) {
        this.limitNs = limitNs;
        wait = new WaitTime(clockNs);
    }

    /// Acquires the baton if it is free and not requested. Engine thread only.
    boolean tryTake() {
        return !yieldRequested && taken.compareAndSet(false, true);
    }

    /// Returns whether the engine thread must stop and [#release()]. Engine thread only, at
    /// safepoints.
    boolean yieldRequested() {
        return yieldRequested;
    }

    /// Returns whether the register thread has waited for longer than the limit, so that the
    /// running channel must be killed. Returns true once per request. Engine thread only, before
    /// [#release()].
    boolean takeKillRequest() {
        if (!killRequested) {
            return false;
        }
        killRequested = false;
        return true;
    }

    /// Releases the baton.
    void release() {
        taken.set(false);
    }

    /// Waits for the baton. Register thread only, while it does not hold the baton.
    ///
    /// @throws IllegalStateException if a slice reaches no safepoint within twice the limit; the
    ///   engines' state must not be changed in that case
    void acquire() {
        if (taken.compareAndSet(false, true)) {
            return;
        }
        yieldRequested = true;
        try {
            if (!await()) {
                killRequested = true;
                if (!await()) {
                    throw new IllegalStateException(
                            "engine thread reached no safepoint, limit=%d ns"
                                    .formatted(2 * limitNs));
                }
                // The slice may have ended without the kill; the next channel must not be killed
                // instead.
                killRequested = false;
            }
        } finally {
            yieldRequested = false;
        }
    }

    private boolean await() {
        wait.restart();
        for (int turn = 0; !taken.compareAndSet(false, true); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else if (wait.elapsedNs() < limitNs) {
                LockSupport.parkNanos(PARK_NS);
            } else {
                return false;
            }
        }
        return true;
    }
}

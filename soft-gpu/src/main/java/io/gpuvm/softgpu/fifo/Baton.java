package io.gpuvm.softgpu.fifo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Who may touch the engines' state: the engine thread while it runs a slice, or the register
/// thread while it changes something under them.
///
/// The engine thread takes the baton if it lies there and goes away otherwise; it never waits. The
/// register thread asks for it, which makes a running slice stop at its next safepoint, and has
/// precedence from then on. What one holder wrote the next one sees. Nothing here needs a second
/// thread: with one, the baton always lies there.
final class Baton {
    /// How long a slice may take to reach a safepoint before the channel it runs is killed.
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int SPINS = 2000;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final long limitNs;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile boolean yieldRequested;
    private volatile boolean killRequested;

    /// @param limitNs how long a slice may take to reach a safepoint
    Baton(long limitNs) {
        this.limitNs = limitNs;
    }

    /// Engine thread: takes the baton if nobody has or wants it.
    boolean tryTake() {
        return !yieldRequested && taken.compareAndSet(false, true);
    }

    /// Engine thread, at safepoints: whether to stop and [#release()].
    boolean yieldRequested() {
        return yieldRequested;
    }

    /// Engine thread, before it releases: whether the register thread has waited for longer than a
    /// channel is worth. True once per request.
    boolean takeKillRequest() {
        if (!killRequested) {
            return false;
        }
        killRequested = false;
        return true;
    }

    /// Gives the baton back.
    void release() {
        taken.set(false);
    }

    /// Register thread: waits for the baton. Not to be called by who has it.
    ///
    /// @throws IllegalStateException if the engine thread is stuck; a device whose engines cannot
    ///   be stopped must not be changed under them
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
                            "engine thread without safepoint for %d ns, limit=%d"
                                    .formatted(2 * limitNs, 2 * limitNs));
                }
                // The slice may have ended by itself; the next channel is not to pay for it.
                killRequested = false;
            }
        } finally {
            yieldRequested = false;
        }
    }

    private boolean await() {
        long start = System.nanoTime();
        for (int turn = 0; !taken.compareAndSet(false, true); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else if (System.nanoTime() - start < limitNs) {
                LockSupport.parkNanos(PARK_NS);
            } else {
                return false;
            }
        }
        return true;
    }
}

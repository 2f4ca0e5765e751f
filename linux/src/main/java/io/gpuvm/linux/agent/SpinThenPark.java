package io.gpuvm.linux.agent;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/// Idle strategy that spins for a limited time after the last work, then sleeps. Confined to one
/// thread.
final class SpinThenPark implements IdleStrategy {
    private final Parking parking;
    private final Parkable who;
    private final LongSupplier spinNs;
    private boolean worked = true;
    private long idleSinceNs;

    /// @param spinNs spin time in nanoseconds, queried in each idle step; 0 to sleep immediately
    ///   without reading a clock, [Long#MAX_VALUE] never to sleep
    SpinThenPark(Parking parking, Parkable who, LongSupplier spinNs) {
        this.parking = parking;
        this.who = who;
        this.spinNs = spinNs;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    public void idle() {
        long limitNs = spinNs.getAsLong();
        if (limitNs > 0 && idleNs() < limitNs) {
            Thread.onSpinWait();
        } else if (!parking.park(who)) {
            reset();
            Thread.onSpinWait();
        }
    }

    @Override
    public void reset() {
        worked = true;
    }

    private long idleNs() {
        long nowNs = System.nanoTime();
        if (worked) {
            worked = false;
            idleSinceNs = nowNs;
        }
        return nowNs - idleSinceNs;
    }
}

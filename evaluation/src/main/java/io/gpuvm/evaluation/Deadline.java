package io.gpuvm.evaluation;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Moment at which a measurement must end. Immutable.
///
/// @param clockNs monotonic clock, in nanoseconds
/// @param endNs time of the deadline by this clock
record Deadline(LongSupplier clockNs, long endNs) {
    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Returns the deadline that is reached after the given time.
    static Deadline after(double seconds, LongSupplier clockNs) {
        return new Deadline(clockNs, clockNs.getAsLong() + Math.round(seconds * NS_PER_SECOND));
    }

    boolean isOver() {
        return secondsLeft() <= 0;
    }

    /// Returns the time until the deadline; negative after it.
    double secondsLeft() {
        return (endNs - clockNs.getAsLong()) / NS_PER_SECOND;
    }

    /// Returns the deadline after a fraction of the remaining time.
    ///
    /// @param part fraction, 0 to 1
    Deadline afterPart(double part) {
        return after(Math.max(0, secondsLeft()) * part, clockNs);
    }
}

package io.gpuvm.owner;

import java.util.function.LongSupplier;

/// The owner's clock: read once per turn, so that all events of a turn have the same time. Confined
/// to the owner's thread.
final class TurnClock {
    private final LongSupplier clockNs;
    private long nowNs;

    /// @param clockNs monotonic clock in nanoseconds
    TurnClock(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /// Reads the clock at the start of a turn, or after a long operation in it.
    void advance() {
        nowNs = clockNs.getAsLong();
    }

    /// Returns the time of this turn, in nanoseconds.
    long nowNs() {
        return nowNs;
    }

    /// Returns the current time, in nanoseconds; the time of the turn stays unchanged.
    long readNs() {
        return clockNs.getAsLong();
    }
}

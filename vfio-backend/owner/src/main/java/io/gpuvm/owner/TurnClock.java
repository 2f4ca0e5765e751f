package io.gpuvm.owner;

import java.util.function.LongSupplier;

/// The owner's time: read once for each turn, so that everything in a turn happens at one moment.
/// Confined to the owner's thread.
final class TurnClock {
    private final LongSupplier clockNs;
    private long nowNs;

    /// @param clockNs a clock of nanoseconds that never runs backwards
    TurnClock(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /// Reads the clock: a turn begins, or goes on after what took long.
    void advance() {
        nowNs = clockNs.getAsLong();
    }

    /// The time of this turn, in nanoseconds.
    long nowNs() {
        return nowNs;
    }

    /// The time at this moment, in nanoseconds, which a turn does not see.
    long readNs() {
        return clockNs.getAsLong();
    }
}

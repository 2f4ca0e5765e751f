package io.gpuvm.pv.host;

/// Numbers of a guest's flushes, which are requested and completed in this order. Confined to the
/// poller.
final class FlushNumbers {
    private long asked;
    private long answered;

    /// Returns the number of the most recently requested flush.
    long asked() {
        return asked;
    }

    /// Returns the number of flushes in flight.
    int underWay() {
        return (int) (asked - answered);
    }

    /// Returns whether a flush is complete.
    boolean isFlushed(long number) {
        return number <= answered;
    }

    /// Counts a requested flush.
    void ask() {
        asked++;
    }

    /// Counts a completed flush.
    void answer() {
        answered++;
    }
}

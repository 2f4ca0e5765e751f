package io.gpuvm.owner;

/// GPU time of the command that a channel has in flight. Confined to the owner's thread.
///
/// A command that was held back counts as a new one with earlier time.
final class CommandTime {
    private long sinceNs;
    private long usedNs;
    private long chargedNs;

    /// Time of the command before it was held back.
    private long beforeNs;

    /// Begins to count.
    ///
    /// @param again whether the command was held back
    void begin(boolean again, long nowNs) {
        beforeNs = again ? beforeNs + usedNs : 0;
        usedNs = 0;
        chargedNs = 0;
        sinceNs = nowNs;
    }

    /// Adds the time until now: the command stops using the GPU, or will be charged.
    void stop(long nowNs) {
        usedNs += nowNs - sinceNs;
        sinceNs = nowNs;
    }

    /// Restarts the count at this moment.
    void goOn(long nowNs) {
        sinceNs = nowNs;
    }

    /// Returns the time counted and not yet charged, and marks it as charged.
    long takeUncharged() {
        long newNs = usedNs - chargedNs;
        chargedNs = usedNs;
        return newNs;
    }

    /// Returns the time since the command began to use the GPU, or resumed.
    long runningNs(long nowNs) {
        return nowNs - sinceNs;
    }

    /// Returns the total time of the command, while it runs.
    long totalNs(long nowNs) {
        return beforeNs + usedNs + runningNs(nowNs);
    }
}

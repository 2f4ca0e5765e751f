package io.gpuvm.owner;

/// GPU time of the command that a channel has under way. Confined to the owner's thread.
///
/// A command that was held back counts as a new one that has had time before.
final class CommandTime {
    private long sinceNs;
    private long usedNs;
    private long chargedNs;

    /// Time that the command had before it was held back.
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

    /// Counts what was used until now: the command stops to use the GPU, or is to be charged.
    void stop(long nowNs) {
        usedNs += nowNs - sinceNs;
        sinceNs = nowNs;
    }

    /// Counts from now on.
    void goOn(long nowNs) {
        sinceNs = nowNs;
    }

    /// Returns what was counted and not yet charged, which is charged with that.
    long takeUncharged() {
        long newNs = usedNs - chargedNs;
        chargedNs = usedNs;
        return newNs;
    }

    /// Time since the command began to use the GPU, or went on.
    long runningNs(long nowNs) {
        return nowNs - sinceNs;
    }

    /// Time that the command has had in all, while it runs.
    long totalNs(long nowNs) {
        return beforeNs + usedNs + runningNs(nowNs);
    }
}

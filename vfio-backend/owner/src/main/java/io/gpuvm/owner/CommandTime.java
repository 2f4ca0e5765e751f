package io.gpuvm.owner;

/// GPU time of the command that a channel has in flight. Confined to the owner's thread.
///
/// When a held-back command starts again, counting restarts; the total includes the command's
/// earlier time.
final class CommandTime {
    private long sinceNs;
    private long usedNs;
    private long chargedNs;

    /// Time of the command before it was held back.
    private long beforeNs;

    /// Starts to count the time of a command.
    ///
    /// @param again whether the command was held back
    void begin(boolean again, long nowNs) {
        beforeNs = again ? beforeNs + usedNs : 0;
        usedNs = 0;
        chargedNs = 0;
        sinceNs = nowNs;
    }

    /// Adds the time until now. Called when the command stops using the GPU, and before a charge.
    void stop(long nowNs) {
        usedNs += nowNs - sinceNs;
        sinceNs = nowNs;
    }

    /// Continues to count from now.
    void goOn(long nowNs) {
        sinceNs = nowNs;
    }

    /// Returns the counted time that has not been charged yet, and marks it as charged.
    long takeUncharged() {
        long newNs = usedNs - chargedNs;
        chargedNs = usedNs;
        return newNs;
    }

    /// Returns the time since the command began to use the GPU, or resumed.
    long runningNs(long nowNs) {
        return nowNs - sinceNs;
    }

    /// Returns the total time of a running command.
    long totalNs(long nowNs) {
        return beforeNs + usedNs + runningNs(nowNs);
    }
}

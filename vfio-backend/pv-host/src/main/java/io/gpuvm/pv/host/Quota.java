package io.gpuvm.pv.host;

/// Limit of one kind of resource, and the amount that all sessions of a virtual machine use
/// together. Confined to the poller.
final class Quota {
    private final long limit;
    private long used;

    Quota(long limit) {
        this.limit = limit;
    }

    /// Returns the amount that sessions may still take.
    long free() {
        return limit - used;
    }

    boolean isUsedUp() {
        return used >= limit;
    }

    /// Counts an amount as used; a negative amount as released.
    void take(long amount) {
        used += amount;
    }

    void giveBack(long amount) {
        used -= amount;
    }
}

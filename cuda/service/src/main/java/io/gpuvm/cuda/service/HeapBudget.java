package io.gpuvm.cuda.service;

/// Memory of this process for the objects of all sessions of one virtual machine, as an estimate:
/// the limits of the kinds of objects are greater than any program needs, so that all of them
/// together exceed the heap. Half of the memory is kept for sessions that use less than an equal
/// part of this half. Confined to the poller.
public final class HeapBudget {
    private final long limit;

    /// Part of the memory that each session gets even if its siblings use as much as they can.
    private final long part;

    private long used;

    /// Memory that is kept for sessions that use less than their parts.
    private long kept;

    /// @param limit maximum number of bytes
    /// @param sessions maximum number of sessions, at least 1
    public HeapBudget(long limit, int sessions) {
        this.limit = limit;
        part = limit / 2 / sessions;
        kept = part * sessions;
    }

    /// Returns the number of bytes in use.
    public long used() {
        return used;
    }

    /// Returns the number of bytes that a session can take.
    ///
    /// @param usedBySession number of bytes that it uses
    long available(long usedBySession) {
        long ofPart = Math.max(0, part - usedBySession);
        return limit - used - (kept - ofPart);
    }

    /// Counts a change of the memory of a session.
    void change(long usedBefore, long usedNow) {
        used += usedNow - usedBefore;
        kept += Math.max(0, part - usedNow) - Math.max(0, part - usedBefore);
    }
}

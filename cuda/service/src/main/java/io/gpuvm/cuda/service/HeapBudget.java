package io.gpuvm.cuda.service;

/// Memory of this process for the objects of all sessions of one virtual machine, as an estimate:
/// limits for each kind of object are greater than any program needs, so that all of them together
/// exceed the heap. Confined to the poller.
public final class HeapBudget {
    private final long limit;
    private long used;

    /// @param limit maximum number of bytes
    public HeapBudget(long limit) {
        this.limit = limit;
    }

    long limit() {
        return limit;
    }

    /// Returns the number of bytes in use.
    public long used() {
        return used;
    }

    /// @param bytes number of bytes, negative to return them
    void add(long bytes) {
        used += bytes;
    }
}

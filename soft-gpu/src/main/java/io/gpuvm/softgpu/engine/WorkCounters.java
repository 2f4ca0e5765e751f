package io.gpuvm.softgpu.engine;

import java.util.concurrent.atomic.AtomicLongArray;

/// One `long` per [WorkCounter]; any thread may write and read. Frequent events are accumulated
/// first and added once per slice.
public final class WorkCounters {
    private final AtomicLongArray cells = new AtomicLongArray(WorkCounter.values().length);

    /// Adds 1.
    public void increment(WorkCounter counter) {
        cells.getAndIncrement(counter.ordinal());
    }

    /// Adds `amount`.
    public void add(WorkCounter counter, long amount) {
        cells.getAndAdd(counter.ordinal(), amount);
    }

    /// Returns the sum of all additions.
    public long get(WorkCounter counter) {
        return cells.getOpaque(counter.ordinal());
    }
}

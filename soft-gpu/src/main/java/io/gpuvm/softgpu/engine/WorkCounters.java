package io.gpuvm.softgpu.engine;

import java.util.concurrent.atomic.AtomicLongArray;

/// One long per [WorkCounter], written and readable from any thread. What happens often is added up
/// first and counted once per slice.
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

    /// The sum so far.
    public long get(WorkCounter counter) {
        return cells.getOpaque(counter.ordinal());
    }
}

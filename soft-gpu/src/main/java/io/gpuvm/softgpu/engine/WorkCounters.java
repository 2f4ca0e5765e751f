package io.gpuvm.softgpu.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One long per [WorkCounter].
///
/// Each counter is written by one thread at a time (engine thread or register thread, ordered by
/// the [io.gpuvm.softgpu.fifo] baton where it is both) and readable from any.
public final class WorkCounters {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[WorkCounter.values().length];

    /// Adds 1.
    public void increment(WorkCounter counter) {
        add(counter, 1);
    }

    /// Adds `amount`.
    public void add(WorkCounter counter, long amount) {
        int cell = counter.ordinal();
        CELL.setOpaque(cells, cell, cells[cell] + amount);
    }

    /// The sum so far.
    public long get(WorkCounter counter) {
        return (long) CELL.getOpaque(cells, counter.ordinal());
    }
}

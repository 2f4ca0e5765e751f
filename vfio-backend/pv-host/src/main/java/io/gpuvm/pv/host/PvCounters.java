package io.gpuvm.pv.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/// 64-bit counts, one per [PvCounter]. Each count is written by one thread at a time and may be
/// read by any thread; a reader may miss the latest increments.
public final class PvCounters {
    private final AtomicLongArray cells = new AtomicLongArray(PvCounter.values().length);

    /// Returns the current value of a counter.
    public long get(PvCounter counter) {
        return cells.getOpaque(counter.ordinal());
    }

    /// Returns a snapshot of every counter by [PvCounter#key()], in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (PvCounter counter : PvCounter.values()) {
            all.put(counter.key(), get(counter));
        }
        return all;
    }

    void increment(PvCounter counter) {
        add(counter, 1);
    }

    /// Adds to a counter. Not atomic: a counter has one writer.
    void add(PvCounter counter, long amount) {
        int cell = counter.ordinal();
        cells.setOpaque(cell, cells.getPlain(cell) + amount);
    }
}

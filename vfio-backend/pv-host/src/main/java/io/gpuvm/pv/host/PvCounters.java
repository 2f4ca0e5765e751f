package io.gpuvm.pv.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/// One long per [PvCounter]. Each is written by one thread at a time and read by any; a reader may
/// miss the latest counts.
public final class PvCounters {
    private final AtomicLongArray cells = new AtomicLongArray(PvCounter.values().length);

    /// The sum so far.
    public long get(PvCounter counter) {
        return cells.getOpaque(counter.ordinal());
    }

    /// Every counter by [PvCounter#key()], in a stable order.
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

    /// One writer, so no atomic addition is needed.
    void add(PvCounter counter, long amount) {
        int cell = counter.ordinal();
        cells.setOpaque(cell, cells.getPlain(cell) + amount);
    }
}

package io.gpuvm.shadow;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/// Values of all [ShadowCounter]s. Written by the virtual machine's thread only and read by any
/// thread; a reader may miss the latest counts.
public final class ShadowCounters {
    private final AtomicLongArray cells = new AtomicLongArray(ShadowCounter.values().length);

    /// Returns the current value of a counter.
    public long get(ShadowCounter counter) {
        return cells.getOpaque(counter.ordinal());
    }

    /// Returns every counter by [ShadowCounter#key()], in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (ShadowCounter counter : ShadowCounter.values()) {
            all.put(counter.key(), get(counter));
        }
        return all;
    }

    void increment(ShadowCounter counter) {
        add(counter, 1);
    }

    /// Adds an amount. There is one writer, so no atomic addition is needed.
    void add(ShadowCounter counter, long amount) {
        int cell = counter.ordinal();
        cells.setOpaque(cell, cells.getPlain(cell) + amount);
    }
}

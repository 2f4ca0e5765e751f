package io.gpuvm.pv.host;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import java.util.LinkedHashMap;
import java.util.Map;

/// 64-bit counts, one per [PvCounter]. Each count is written by one thread at a time and may be
/// read by any thread; a reader may miss the latest increments.
public final class PvCounters {
    private final CounterCells[] cells = new CounterCells[PvCounter.values().length];
    private final CounterCells vramUsed;

    /// VRAM that was last shown, in bytes. Confined to the poller.
    private long shownVram;

    /// Creates counters that only this process can read.
    public PvCounters() {
        this(CounterSet.standalone());
    }

    /// @param set counters of the virtual machine
    public PvCounters(CounterSet set) {
        for (PvCounter counter : PvCounter.values()) {
            cells[counter.ordinal()] = set.cells(counter.type());
        }
        vramUsed = set.cells(CounterType.VRAM_USED_BYTES);
    }

    /// Returns the current value of a counter.
    public long get(PvCounter counter) {
        return cells[counter.ordinal()].get();
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
        cells[counter.ordinal()].add(amount);
    }

    /// Shows the VRAM that the guests have allocated. Poller's thread only.
    void showVram(long bytes) {
        if (bytes != shownVram) {
            shownVram = bytes;
            vramUsed.set(bytes);
        }
    }
}

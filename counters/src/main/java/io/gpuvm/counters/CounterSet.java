package io.gpuvm.counters;

import java.util.EnumMap;
import java.util.Map;

/// All counters of one subject. [CountersFile] creates the sets of a backend; a set of its own is
/// in no file.
public final class CounterSet {
    private final long attachment;
    private final Map<CounterType, CounterCells> cells;

    /// Numbers of the counters in the file; empty if they are in no file.
    private final int[] ids;

    CounterSet(long attachment, Map<CounterType, CounterCells> cells, int[] ids) {
        this.attachment = attachment;
        this.cells = cells;
        this.ids = ids;
    }

    /// Creates counters of a virtual machine that are in no file, with value 0.
    public static CounterSet standalone() {
        Map<CounterType, CounterCells> cells = new EnumMap<>(CounterType.class);
        for (CounterType type : CounterType.of(CounterScope.VM)) {
            cells.put(type, CounterCells.standalone(type.members()));
        }
        return new CounterSet(1, cells, new int[0]);
    }

    /// Returns the number of the virtual machine's attachment: unique in the backend, at least 1.
    public long attachment() {
        return attachment;
    }

    /// Returns the counters of one kind.
    ///
    /// @throws IllegalArgumentException if the subject has no counters of this kind
    public CounterCells cells(CounterType type) {
        CounterCells found = cells.get(type);
        if (found == null) {
            throw new IllegalArgumentException("type=%s, scope=%s".formatted(type, type.scope()));
        }
        return found;
    }

    int[] ids() {
        return ids;
    }
}

package io.gpuvm.gf100.owner;

import java.util.Map;
import java.util.TreeMap;

/// Which parts of `[0, size)` are free; takes the lowest that is large enough.
final class FreeRanges {
    /// Length of each free range by its start; no two of them touch.
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    FreeRanges(long size) {
        lengths.put(0L, size);
    }

    /// @return where the range starts, -1 if none is large enough
    long take(long length) {
        for (Map.Entry<Long, Long> range : lengths.entrySet()) {
            if (range.getValue() >= length) {
                long start = range.getKey();
                long rest = range.getValue() - length;
                lengths.remove(start);
                if (rest > 0) {
                    lengths.put(start + length, rest);
                }
                return start;
            }
        }
        return -1;
    }

    /// Returns what [#take] gave.
    void giveBack(long start, long length) {
        long from = start;
        long to = start + length;
        Map.Entry<Long, Long> before = lengths.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            from = before.getKey();
        }
        Long after = lengths.remove(to);
        if (after != null) {
            to += after;
        }
        lengths.put(from, to - from);
    }

    /// Length of the largest free range.
    long largest() {
        return lengths.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}

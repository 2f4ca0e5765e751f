package io.gpuvm.gf100.owner;

import java.util.Map;
import java.util.TreeMap;

/// Which parts of a range of numbers are free; takes the lowest that is large enough. Units are the
/// user's: pages, mostly. One thread at a time.
public final class FreeRanges {
    /// Length of each free range by its start; no two of them touch.
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    /// Nothing is free yet; see [#giveBack].
    public FreeRanges() {}

    /// `[0, size)` is free.
    public FreeRanges(long size) {
        lengths.put(0L, size);
    }

    /// Takes a range that may start anywhere.
    ///
    /// @return where the range starts, -1 if none is large enough
    public long take(long length) {
        return take(length, 1);
    }

    /// Takes a range that starts at a multiple of `alignment`, a power of two.
    ///
    /// @return where the range starts, -1 if none is large enough
    public long take(long length, long alignment) {
        for (Map.Entry<Long, Long> range : lengths.entrySet()) {
            long first = range.getKey();
            long start = first + alignment - 1 & -alignment;
            long behind = first + range.getValue() - start - length;
            if (behind >= 0) {
                lengths.remove(first);
                put(first, start - first);
                put(start + length, behind);
                return start;
            }
        }
        return -1;
    }

    /// Returns what [#take] gave, or adds a range that was never free before.
    public void giveBack(long start, long length) {
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
    public long largest() {
        return lengths.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private void put(long start, long length) {
        if (length > 0) {
            lengths.put(start, length);
        }
    }
}

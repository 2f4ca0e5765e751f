package io.gpuvm.gf100.owner;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which parts of a range of numbers are free; takes from the shortest that is long enough, so that
/// the long ones stay long, and of those alike from the lowest. Units are the user's: pages,
/// mostly. However many parts there are, a call looks at few of them, unless it says otherwise. One
/// thread at a time.
public final class FreeRanges {
    private static final Comparator<Range> BY_LENGTH =
            Comparator.comparingLong(Range::length).thenComparingLong(Range::start);

    private record Range(long start, long length) {}

    /// Length of each free range by its start; no two of them touch.
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    /// The same ranges.
    private final TreeSet<Range> byLength = new TreeSet<>(BY_LENGTH);

    /// Nothing is free yet; see [#giveBack].
    public FreeRanges() {}

    /// `[0, size)` is free.
    public FreeRanges(long size) {
        put(0, size);
    }

    /// Takes a range that may start anywhere.
    ///
    /// @return where the range starts, -1 if none is large enough
    public long take(long length) {
        return take(length, 1);
    }

    /// Takes a range that starts at a multiple of `alignment`, a power of two. May look at every
    /// free range that is long enough.
    ///
    /// @return where the range starts, -1 if none is large enough
    public long take(long length, long alignment) {
        return take(length, alignment, Integer.MAX_VALUE);
    }

    /// The same, but looks at a number of free ranges only; of those that it passes over, perhaps
    /// one would have done.
    ///
    /// @param looks free ranges to look at, at least 1
    /// @return where the range starts, -1 if none was found
    public long take(long length, long alignment, int looks) {
        Range range = byLength.ceiling(new Range(Long.MIN_VALUE, length));
        for (int i = 0; range != null && i < looks; i++) {
            long start = aligned(range.start, alignment);
            if (range.start + range.length - start >= length) {
                cut(range, start, length);
                return start;
            }
            range = byLength.higher(range);
        }
        // Wherever one so long starts, it is long enough.
        Range longEnough =
                range == null
                        ? null
                        : byLength.ceiling(new Range(Long.MIN_VALUE, length + alignment - 1));
        if (longEnough == null) {
            return -1;
        }
        long start = aligned(longEnough.start, alignment);
        cut(longEnough, start, length);
        return start;
    }

    /// Returns what [#take] gave, or adds a range that was never free before.
    public void giveBack(long start, long length) {
        long from = start;
        long to = start + length;
        Map.Entry<Long, Long> before = lengths.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            from = before.getKey();
            remove(from, before.getValue());
        }
        Long after = lengths.get(to);
        if (after != null) {
            remove(to, after);
            to += after;
        }
        put(from, to - from);
    }

    /// Length of the largest free range.
    public long largest() {
        return byLength.isEmpty() ? 0 : byLength.last().length;
    }

    private static long aligned(long start, long alignment) {
        return start + alignment - 1 & -alignment;
    }

    private void cut(Range range, long start, long length) {
        remove(range.start, range.length);
        put(range.start, start - range.start);
        put(start + length, range.start + range.length - start - length);
    }

    private void put(long start, long length) {
        if (length > 0) {
            lengths.put(start, length);
            byLength.add(new Range(start, length));
        }
    }

    private void remove(long start, long length) {
        lengths.remove(start);
        byLength.remove(new Range(start, length));
    }
}

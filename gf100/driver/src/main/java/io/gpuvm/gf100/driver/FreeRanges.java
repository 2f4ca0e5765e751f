package io.gpuvm.gf100.driver;

/// Which parts of a range of numbers are free; takes from the shortest that is long enough, so that
/// the long ones stay long, and of those alike from the lowest. Units are the user's: pages,
/// mostly. However many parts there are, a call looks at few of them, unless it says otherwise, and
/// makes no garbage once there have been as many. One thread at a time.
public final class FreeRanges {
    /// Start and length of each free range; no two of them touch.
    private final SortedPairs byStart = new SortedPairs();

    /// Length and start of the same.
    private final SortedPairs byLength = new SortedPairs();

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
        int range = byLength.ceiling(length, Long.MIN_VALUE);
        for (int i = 0; range != SortedPairs.NONE && i < looks; i++) {
            long from = byLength.other(range);
            long whole = byLength.one(range);
            long start = aligned(from, alignment);
            if (from + whole - start >= length) {
                return cut(from, whole, start, length);
            }
            range = byLength.ceiling(whole, from + 1);
        }
        if (range == SortedPairs.NONE) {
            return -1;
        }
        // Wherever one so long starts, it is long enough.
        int longEnough = byLength.ceiling(length + alignment - 1, Long.MIN_VALUE);
        if (longEnough == SortedPairs.NONE) {
            return -1;
        }
        long from = byLength.other(longEnough);
        return cut(from, byLength.one(longEnough), aligned(from, alignment), length);
    }

    /// Returns what [#take] gave, or adds a range that was never free before.
    public void giveBack(long start, long length) {
        long from = start;
        long to = start + length;
        int before = byStart.lower(start, Long.MIN_VALUE);
        if (before != SortedPairs.NONE && byStart.one(before) + byStart.other(before) == start) {
            from = byStart.one(before);
            remove(from, start - from);
        }
        int after = byStart.ceiling(to, Long.MIN_VALUE);
        if (after != SortedPairs.NONE && byStart.one(after) == to) {
            long more = byStart.other(after);
            remove(to, more);
            to += more;
        }
        put(from, to - from);
    }

    /// Length of the largest free range.
    public long largest() {
        int last = byLength.last();
        return last == SortedPairs.NONE ? 0 : byLength.one(last);
    }

    private static long aligned(long start, long alignment) {
        return start + alignment - 1 & -alignment;
    }

    /// Takes a part out of a free range, and returns where the part starts.
    private long cut(long from, long whole, long start, long length) {
        remove(from, whole);
        put(from, start - from);
        put(start + length, from + whole - start - length);
        return start;
    }

    private void put(long start, long length) {
        if (length > 0) {
            byStart.add(start, length);
            byLength.add(length, start);
        }
    }

    private void remove(long start, long length) {
        byStart.remove(start, length);
        byLength.remove(length, start);
    }
}

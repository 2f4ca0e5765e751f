package io.gpuvm.gf100.driver;

/// Allocator of ranges of numbers. It allocates from the shortest sufficient free range, to
/// preserve long ranges, and from the lowest among ranges of equal length. The caller chooses the
/// unit, usually pages. Unless documented otherwise, a call examines few ranges, regardless of the
/// number of ranges, and creates objects only if that number exceeds the previous maximum. One
/// thread at a time.
public final class FreeRanges {
    /// Pairs of start and length, one for each free range. Free ranges are never adjacent.
    private final SortedPairs byStart = new SortedPairs();

    /// Pairs of length and start of the same ranges.
    private final SortedPairs byLength = new SortedPairs();

    /// Creates an allocator without free ranges; see [#giveBack].
    public FreeRanges() {}

    /// Creates an allocator in which `[0, size)` is free.
    public FreeRanges(long size) {
        put(0, size);
    }

    /// Allocates a range; its start may be any number.
    ///
    /// @return start of the range, -1 if no free range is large enough
    public long take(long length) {
        return take(length, 1);
    }

    /// Allocates a range that starts at a multiple of `alignment`, a power of two. May examine
    /// every sufficiently long free range.
    ///
    /// @return start of the range, -1 if no free range is large enough
    public long take(long length, long alignment) {
        return take(length, alignment, Integer.MAX_VALUE);
    }

    /// Allocates a range like [#take(long, long)], but examines only a limited number of free
    /// ranges, and may miss a suitable range.
    ///
    /// @param looks maximum number of free ranges to examine, at least 1
    /// @return start of the range, -1 if no range was found
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
        // A range of this length suffices for any start.
        int longEnough = byLength.ceiling(length + alignment - 1, Long.MIN_VALUE);
        if (longEnough == SortedPairs.NONE) {
            return -1;
        }
        long from = byLength.other(longEnough);
        return cut(from, byLength.one(longEnough), aligned(from, alignment), length);
    }

    /// Allocates a range at a given start.
    ///
    /// @param length length, at least 1
    /// @return false if a part of the range is not free
    public boolean takeAt(long start, long length) {
        int range = byStart.lower(start, Long.MAX_VALUE);
        if (range == SortedPairs.NONE) {
            return false;
        }
        long from = byStart.one(range);
        long whole = byStart.other(range);
        if (start - from > whole - length) {
            return false;
        }
        cut(from, whole, start, length);
        return true;
    }

    /// Releases a range from [#take] or [#takeAt], or adds a new range.
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

    /// Returns the length of the largest free range.
    public long largest() {
        int last = byLength.last();
        return last == SortedPairs.NONE ? 0 : byLength.one(last);
    }

    private static long aligned(long start, long alignment) {
        return start + alignment - 1 & -alignment;
    }

    /// Removes a part from a free range, and returns the start of the part.
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

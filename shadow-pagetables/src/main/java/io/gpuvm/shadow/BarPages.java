package io.gpuvm.shadow;

import java.util.BitSet;

/// What the pages of a BAR are to show, and what was said last of each: only differences between
/// the two are passed on, however often an entry changes in between.
final class BarPages implements ShadowTable {
    private final ShadowBar.Pages sink;
    private final ShadowCounters counters;
    private final int pages;
    private final BitSet touched = new BitSet();

    /// Null before the first page can be reached.
    private long[] wanted;

    private long[] shown;

    /// How many pages can be reached.
    private int reach;

    BarPages(ShadowBar.Pages sink, ShadowCounters counters, int pages) {
        this.sink = sink;
        this.counters = counters;
        this.pages = pages;
    }

    /// Sets how many pages can be reached, while none is shown.
    void reach(int count) {
        reach = count;
        if (wanted == null) {
            wanted = new long[pages];
            shown = new long[pages];
        }
    }

    /// There is always room.
    @Override
    public boolean retain() {
        return true;
    }

    @Override
    public void release() {}

    /// Parts of a big page that lie behind what can be reached are nowhere to be seen.
    @Override
    public void set(int page, long hostEntry) {
        if (page < reach && wanted[page] != hostEntry) {
            wanted[page] = hostEntry;
            touched.set(page);
        }
    }

    /// Passes on what has changed.
    void deliver() {
        for (int page = touched.nextSetBit(0); page >= 0; page = touched.nextSetBit(page + 1)) {
            if (shown[page] != wanted[page]) {
                shown[page] = wanted[page];
                counters.increment(ShadowCounter.ENTRIES_WRITTEN);
                sink.set(page, shown[page]);
            }
        }
        touched.clear();
    }
}

package io.gpuvm.shadow;

import java.util.BitSet;

/// Wanted and last reported content of a BAR's pages: only differences between the two are passed
/// on, however often an entry changes in between.
final class BarPages implements ShadowTable {
    private final ShadowBar.Pages sink;
    private final ShadowCounters counters;
    private final int pages;
    private final BitSet touched = new BitSet();

    /// Null until a page can be reached.
    private long[] wanted;

    private long[] shown;

    /// Number of pages that can be reached.
    private int reach;

    BarPages(ShadowBar.Pages sink, ShadowCounters counters, int pages) {
        this.sink = sink;
        this.counters = counters;
        this.pages = pages;
    }

    /// Sets the number of pages that can be reached. Only while none is shown.
    void reach(int count) {
        reach = count;
        if (wanted == null) {
            wanted = new long[pages];
            shown = new long[pages];
        }
    }

    /// Returns true: there is always room.
    @Override
    public boolean retain() {
        return true;
    }

    @Override
    public void release() {}

    /// Sets the wanted content of a page. Parts of a big page beyond the reachable pages are
    /// ignored.
    @Override
    public void set(int page, long hostEntry) {
        if (page < reach && wanted[page] != hostEntry) {
            wanted[page] = hostEntry;
            touched.set(page);
        }
    }

    /// Passes the changes on.
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

package io.gpuvm.shadow;

import java.util.BitSet;

/// Desired and last reported content of a BAR's pages. Only differences between the two are
/// reported, regardless of how often an entry has changed.
final class BarPages implements ShadowTable {
    private final ShadowBar.Pages sink;
    private final ShadowCounters counters;
    private final int pages;
    private final BitSet touched = new BitSet();

    /// Desired content by page; null until a page is reachable.
    private long[] wanted;

    /// Last reported content by page; null until a page is reachable.
    private long[] shown;

    /// Number of reachable pages.
    private int reach;

    BarPages(ShadowBar.Pages sink, ShadowCounters counters, int pages) {
        this.sink = sink;
        this.counters = counters;
        this.pages = pages;
    }

    /// Sets the number of reachable pages. Called only while no page is shown.
    void reach(int count) {
        reach = count;
        if (wanted == null) {
            wanted = new long[pages];
            shown = new long[pages];
        }
    }

    /// Returns true, because no memory is needed.
    @Override
    public boolean retain() {
        return true;
    }

    @Override
    public void release() {}

    /// Sets the desired content of a page. Parts of a big page beyond the reachable pages are
    /// ignored.
    @Override
    public void set(int page, long hostEntry) {
        if (page < reach && wanted[page] != hostEntry) {
            wanted[page] = hostEntry;
            touched.set(page);
        }
    }

    /// Reports the changes to the sink.
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

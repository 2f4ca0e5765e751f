package io.gpuvm.pv.host;

/// What one guest did and had done for it. Counted here all the time and added to the counters of
/// its place once in each turn, since other threads read those. Confined to the poller.
final class GuestCounts {
    private static final PvCounter[] ALL = PvCounter.values();

    private final PvCounters sums;
    private final long[] counts = new long[ALL.length];

    /// How much of them the place's counters have.
    private final long[] published = new long[ALL.length];

    /// @param sums over all guests of the place
    GuestCounts(PvCounters sums) {
        this.sums = sums;
    }

    void add(PvCounter counter, long amount) {
        counts[counter.ordinal()] += amount;
    }

    /// The sum so far, of this guest alone.
    long get(PvCounter counter) {
        return counts[counter.ordinal()];
    }

    /// Adds what is new to the counters of the place.
    void publish() {
        for (PvCounter counter : ALL) {
            int at = counter.ordinal();
            if (counts[at] != published[at]) {
                sums.add(counter, counts[at] - published[at]);
                published[at] = counts[at];
            }
        }
    }
}

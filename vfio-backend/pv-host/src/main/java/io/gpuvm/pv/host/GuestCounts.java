package io.gpuvm.pv.host;

/// Counts of one guest's activity, which are updated continuously and added once per turn to the
/// counters of the guest's place, which other threads read. Confined to the poller.
final class GuestCounts {
    private static final PvCounter[] ALL = PvCounter.values();

    private final PvCounters sums;
    private final long[] counts = new long[ALL.length];

    /// Amounts that have been added to the place's counters, by counter.
    private final long[] published = new long[ALL.length];

    /// @param sums counters over all guests of the place
    GuestCounts(PvCounters sums) {
        this.sums = sums;
    }

    void add(PvCounter counter, long amount) {
        counts[counter.ordinal()] += amount;
    }

    /// Returns the current count of this guest alone.
    long get(PvCounter counter) {
        return counts[counter.ordinal()];
    }

    /// Adds the increments since the last call to the counters of the place.
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

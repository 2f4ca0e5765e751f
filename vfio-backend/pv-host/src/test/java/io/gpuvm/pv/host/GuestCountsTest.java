package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Tests of a guest's counters, and of their addition to the counters of the place.
class GuestCountsTest {
    private final PvCounters sums = new PvCounters();
    private final GuestCounts counts = new GuestCounts(sums);

    @Test
    void givenUnpublishedCounts_whenRead_thenOnlyStatisticsOfGuestIncludeCounts() {
        counts.add(PvCounter.COMMANDS, 3);
        assertEquals(3, counts.get(PvCounter.COMMANDS));
        assertEquals(0, sums.get(PvCounter.COMMANDS));
    }

    @Test
    void givenCounts_whenPublishedTwice_thenEachIncrementCountsOnce() {
        counts.add(PvCounter.COMMANDS, 3);
        counts.publish();
        counts.add(PvCounter.COMMANDS, 2);
        counts.publish();
        counts.publish();
        assertEquals(5, sums.get(PvCounter.COMMANDS));
    }

    @Test
    void givenEarlierGuest_whenNextGuestIsCounted_thenCountsStartAtZero() {
        counts.add(PvCounter.SUBMISSIONS, 7);
        counts.publish();
        GuestCounts next = new GuestCounts(sums);
        next.add(PvCounter.SUBMISSIONS, 1);
        next.publish();
        assertEquals(1, next.get(PvCounter.SUBMISSIONS));
        assertEquals(8, sums.get(PvCounter.SUBMISSIONS));
    }
}

package io.gpuvm.linux.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitTimeTest {
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNs = Long.MAX_VALUE;
    private final WaitTime wait = new WaitTime(() -> nowNs);

    @Test
    void givenReadingsWithinLongestStep_whenTimePasses_thenElapsedTimeIsExact() {
        long elapsedNs = 0;
        for (int i = 0; i < 1000; i++) {
            nowNs += NAP_NS;
            elapsedNs = wait.elapsedNs();
        }
        assertEquals(1000 * NAP_NS, elapsedNs);
    }

    @Test
    void givenSuspension_whenRead_thenSuspensionCountsAsOneStep() {
        nowNs += NAP_NS;
        wait.elapsedNs();

        nowNs += TimeUnit.HOURS.toNanos(1);

        assertEquals(NAP_NS + WaitTime.LONGEST_STEP_NS, wait.elapsedNs());
        assertEquals(NAP_NS + WaitTime.LONGEST_STEP_NS, wait.elapsedNs());
    }

    @Test
    void givenProgress_whenWaitIsRestarted_thenEarlierTimeDoesNotCount() {
        nowNs += NAP_NS;
        wait.elapsedNs();
        nowNs += NAP_NS;

        wait.restart();
        nowNs += 2 * NAP_NS;

        assertEquals(2 * NAP_NS, wait.elapsedNs());
    }
}

package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private long nowNs = 7;

    @Test
    void givenDeadline_whenClockReachesEnd_thenDeadlineIsOver() {
        Deadline deadline = Deadline.after(2.5, () -> nowNs);

        assertEquals(2.5, deadline.secondsLeft());
        nowNs += TimeUnit.SECONDS.toNanos(2);
        assertFalse(deadline.isOver());
        nowNs += TimeUnit.MILLISECONDS.toNanos(500);
        assertTrue(deadline.isOver());
    }

    @Test
    void givenRemainingTime_whenFractionIsRequested_thenDeadlineIsAfterFraction() {
        Deadline deadline = Deadline.after(10, () -> nowNs);
        nowNs += TimeUnit.SECONDS.toNanos(2);

        assertEquals(6, deadline.afterPart(0.75).secondsLeft());
    }

    @Test
    void givenMissedDeadline_whenFractionIsRequested_thenDeadlineIsOver() {
        Deadline deadline = Deadline.after(1, () -> nowNs);
        nowNs += TimeUnit.SECONDS.toNanos(5);

        assertTrue(deadline.afterPart(0.5).isOver());
        assertEquals(0, deadline.afterPart(0.5).secondsLeft());
    }
}

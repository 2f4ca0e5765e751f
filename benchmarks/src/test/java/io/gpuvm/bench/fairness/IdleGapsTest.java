package io.gpuvm.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdleGapsTest {
    private static final double EXACT = 1e-9;

    private static GuestTrace.Command command(long submitted, long started, long ended) {
        return new GuestTrace.Command(0, submitted, started, ended, ended);
    }

    @Test
    void givenQueuedCommand_whenGapsAreComputed_thenGapIsAttributedToBackend() {
        IdleGaps gaps =
                IdleGaps.of(
                        List.of(command(500, 9_000, 12_000), command(0, 1_000, 5_000)), 0, 20_000);

        assertEquals(new IdleGaps.Quantiles(1, 4, 4), gaps.queued());
        assertEquals(0, gaps.awaited().count());
    }

    @Test
    void givenLaterCommand_whenGpuIsIdleUntilSubmission_thenGapHasTwoParts() {
        IdleGaps gaps =
                IdleGaps.of(
                        List.of(command(0, 1_000, 5_000), command(12_000, 15_000, 16_000)),
                        0,
                        20_000);

        assertEquals(10, gaps.awaited().p50Us(), EXACT);
        assertEquals(7, gaps.reaction().p50Us(), EXACT);
        assertEquals(3, gaps.start().p99Us(), EXACT);
        assertEquals(0, gaps.queued().count());
    }

    @Test
    void givenGapBeforeMeasuredInterval_whenGapsAreComputed_thenGapIsExcluded() {
        IdleGaps gaps = IdleGaps.of(List.of(command(0, 0, 10), command(0, 30, 40)), 20, 50);

        assertEquals(0, gaps.queued().count());
    }
}

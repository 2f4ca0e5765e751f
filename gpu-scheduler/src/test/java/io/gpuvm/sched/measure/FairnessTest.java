package io.gpuvm.sched.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.policy.TimeShare;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of fairness figures. Times are in milliseconds; commands run on engine 0 unless a test
/// specifies another engine.
class FairnessTest {
    private static final long MS = 1_000_000;
    private static final double TINY = 1e-9;
    private static final List<TimeShare> TWO = List.of(TimeShare.EQUAL, TimeShare.EQUAL);

    private final CommandLog log = new CommandLog(0);

    @Test
    void givenAlternatingVms_whenMeasured_thenEachVmHasHalfAndIndexIsOne() {
        turns(0, 100, 10, 10);

        Interval whole = measured(TWO, 100).whole();

        assertArrayEquals(new double[] {0.5, 0.5}, whole.shares(), TINY);
        assertArrayEquals(new double[] {0.5, 0.5}, whole.entitled(), TINY);
        assertEquals(1, whole.jain(), TINY);
        assertEquals(0, whole.maxDeviation(), TINY);
        assertEquals(1, whole.utilization(), TINY);
    }

    @Test
    void givenAlternatingShortAndLongCommands_whenMeasured_thenIndexIsNearOneHalf() {
        turns(0, 82, 0.5, 20);

        Interval whole = measured(TWO, 82).whole();

        assertEquals(0.5 / 20.5, whole.shares()[0], TINY);
        assertEquals(0.5 - 0.5 / 20.5, whole.maxDeviation(), TINY);
        // (1 + 40)^2 / (2 * (1 + 40^2)), computed by hand.
        assertEquals(1681.0 / 3202, whole.jain(), TINY);
    }

    @Test
    void givenCommandAcrossTwoIntervals_whenMeasured_thenTimeIsSplitAtBoundary() {
        run(0, 0, 0, 15);
        run(1, 0, 15, 20);

        List<Interval> windows = measured(TWO, 20).windows(10 * MS, 10 * MS);

        assertEquals(2, windows.size());
        assertArrayEquals(new double[] {1, 0}, windows.get(0).shares(), TINY);
        assertArrayEquals(new double[] {0.5, 0.5}, windows.get(1).shares(), TINY);
    }

    @Test
    void givenOverlappingIntervals_whenMeasured_thenLastIntervalEndsWithMeasuredTime() {
        turns(0, 100, 10, 10);

        List<Interval> windows = measured(TWO, 100).windows(50 * MS, 25 * MS);

        assertEquals(3, windows.size());
        assertEquals(50 * MS, windows.getLast().fromNs());
        assertEquals(100 * MS, windows.getLast().toNs());
    }

    @Test
    void givenWeights_whenEntitlementIsComputed_thenEntitlementIsInProportionToWeights() {
        turns(0, 60, 10, 10);

        Interval whole =
                measured(List.of(TimeShare.ofWeight(1), TimeShare.ofWeight(3)), 60).whole();

        assertArrayEquals(new double[] {0.25, 0.75}, whole.entitled(), TINY);
        assertEquals(0.25, whole.maxDeviation(), TINY);
    }

    @Test
    void givenCap_whenEntitlementIsComputed_thenOtherVmGetsRemainder() {
        turns(0, 100, 10, 10);
        List<TimeShare> shares = List.of(new TimeShare(3, 20), TimeShare.ofWeight(1));

        Fairness fairness = measured(shares, 100);

        assertArrayEquals(new double[] {0.2, 0.8}, fairness.whole().entitled(), TINY);
        // Used 50 ms of 100, 30 ms above the cap of 20.
        assertEquals(30 * MS, fairness.worstCapExcessNs(0, 100 * MS, 100 * MS), TINY);
        assertEquals(0, fairness.worstCapExcessNs(1, 100 * MS, 100 * MS), TINY);
    }

    @Test
    void givenArrivalAtHalfTime_whenEntitlementIsComputed_thenEntitlementIsHalfOfSecondHalf() {
        run(0, 0, 0, 50);
        turns(50, 100, 5, 5);

        Interval whole = measured(TWO, 100).whole();

        assertArrayEquals(new double[] {0.75, 0.25}, whole.entitled(), TINY);
        assertEquals(0, whole.maxDeviation(), TINY);
    }

    @Test
    void givenSatisfiedSmallDemand_whenEntitlementIsComputed_thenOtherVmGetsRemainder() {
        for (int start = 0; start < 100; start += 10) {
            run(0, start, start, start + 1);
            run(1, start, start + 1, start + 10);
        }

        Interval whole = measured(TWO, 100).whole();

        assertArrayEquals(new double[] {0.1, 0.9}, whole.entitled(), TINY);
        assertEquals(1, whole.jain(), TINY);
    }

    @Test
    void givenSmallDemandWithWaits_whenEntitlementIsComputed_thenWaitsCountAsDemand() {
        for (int start = 0; start <= 100; start += 20) {
            run(0, start, start + 19, start + 20);
            run(1, start, start, start + 19);
        }

        assertArrayEquals(new double[] {0.5, 0.5}, measured(TWO, 100).whole().entitled(), TINY);
    }

    @Test
    void givenSilenceLongerThanPatience_whenEntitlementIsComputed_thenOtherVmIsEntitledToTime() {
        run(0, 0, 0, 10);
        run(1, 0, 10, 90);
        run(0, 80, 90, 100);

        Fairness patient = Fairness.of(log, 0, TWO, 0, 100 * MS, 70 * MS);
        Fairness impatient = Fairness.of(log, 0, TWO, 0, 100 * MS, 69 * MS);

        // Waited or ran for 30 ms, which limits the entitlement.
        assertEquals(0.3, patient.whole().entitled()[0], TINY);
        // Both compete for 20 ms, and the first virtual machine competes alone for 10 ms, because
        // the second has no demand from 90 ms on.
        assertEquals(0.5 * 10 + 0.5 * 10 + 10, 100 * impatient.whole().entitled()[0], TINY);
    }

    @Test
    void givenNoCommands_whenMeasured_thenSharesAreZeroAndIndexIsUndefined() {
        Interval whole = measured(TWO, 10).whole();

        assertArrayEquals(new double[2], whole.shares());
        assertArrayEquals(new double[2], whole.entitled());
        assertTrue(Double.isNaN(whole.jain()));
        assertEquals(0, whole.maxDeviation());
        assertEquals(0, whole.utilization());
        assertEquals(new IntervalFigures(1, 1, 0, 1), measured(TWO, 10).figures(10 * MS, MS));
    }

    @Test
    void givenGpuTimeBelowDuration_whenMeasured_thenTimeIsSpreadOverCommand() {
        log.add(0, 0, 0, 0, 100 * MS, 40 * MS);

        Fairness fairness = measured(List.of(TimeShare.EQUAL), 50);

        assertEquals(20 * MS, fairness.usedNs(0), TINY);
        assertEquals(0.4, fairness.whole().utilization(), TINY);
        assertEquals(0, fairness.commands(0));
    }

    @Test
    void givenCommandOfZeroLength_whenMeasured_thenCommandCounts() {
        log.add(0, 0, MS, 5 * MS, 5 * MS, 0);

        Fairness fairness = measured(List.of(TimeShare.EQUAL), 50);

        assertEquals(0, fairness.usedNs(0), TINY);
        assertEquals(1, fairness.commands(0));
        assertEquals(4 * MS, fairness.waits(0).p50Ns());
    }

    @Test
    void givenCommandsOnTwoEngines_whenOneEngineIsMeasured_thenCommandsOfOtherEngineAreIgnored() {
        run(0, 0, 0, 10);
        log.add(1, 1, 0, 0, 10 * MS, 10 * MS);

        assertArrayEquals(new double[] {1, 0}, measured(TWO, 10).whole().shares(), TINY);
        assertArrayEquals(
                new double[] {0, 1}, Fairness.of(log, 1, TWO, 0, 10 * MS).whole().shares(), TINY);
    }

    @Test
    void givenWaits_whenMeasured_thenPercentilesAreExact() {
        for (int i = 0; i < 100; i++) {
            long start = i * 10L * MS;
            log.add(0, 0, start - i * MS, start, start + MS, MS);
        }

        Waits waits = measured(List.of(TimeShare.EQUAL), 1_000).waits(0);

        assertEquals(new Waits(100, 49 * MS, 98 * MS, 99 * MS), waits);
    }

    @Test
    void givenVmBelowShareWithQueuedCommands_whenMeasured_thenOnlyWaitsForOtherVmsCount() {
        run(1, 0, 0, 30);
        run(0, 0, 30, 40);
        run(0, 0, 40, 50);
        run(1, 30, 50, 80);
        run(0, 45, 80, 90);

        Fairness fairness = measured(TWO, 90);

        // At 40 ms the first virtual machine has used 10 of 40 ms, at 50 ms 20 of 50. At 0 no time
        // was used.
        assertEquals(new Waits(2, 0, 30 * MS, 30 * MS), fairness.waitsBelowShare(0));
        // At 30 ms the second virtual machine had used all time.
        assertEquals(0, fairness.waitsBelowShare(1).count());
    }

    @Test
    void givenSilence_whenMeasured_thenWaitOfFirstCommandAfterSilenceIsReported() {
        run(0, 0, 3, 10);
        run(0, 10, 10, 20);
        run(1, 0, 20, 100);
        run(0, 95, 100, 101);

        // The very first command, and the command after the silence.
        assertEquals(new Waits(2, 3 * MS, 5 * MS, 5 * MS), measured(TWO, 101).waitsAfterSilence(0));
    }

    @Test
    void givenSeveralIntervals_whenSummarized_thenMedianAndWorstAreReported() {
        run(0, 0, 0, 10);
        run(1, 0, 10, 20);
        turns(20, 60, 5, 5);

        IntervalFigures figures = measured(TWO, 60).figures(10 * MS, 10 * MS);

        assertEquals(6, figures.windows());
        assertEquals(1, figures.jainMedian(), TINY);
        assertEquals(0.5, figures.jainWorst(), TINY);
        assertEquals(50, figures.maxDeviationPct(), 1e-6);
    }

    @Test
    void givenRunOfOneSecond_whenSummarized_thenIntervalsUpToOneSecondArePresent() {
        turns(0, 1_000, 10, 10);

        FairnessSummary summary =
                FairnessSummary.of("fair", List.of("a", "b"), measured(TWO, 1_000));

        assertEquals(List.of("100ms", "500ms", "1s"), List.copyOf(summary.windows().keySet()));
        assertEquals(10, summary.windows().get("100ms").windows());
        assertEquals("b", summary.vms().get(1).name());
        assertEquals(50, summary.vms().get(1).commands());
        assertEquals(0.5, summary.vms().get(1).gpuSeconds(), TINY);
        assertEquals(10_000, summary.vms().get(1).waitP50Us(), TINY);
    }

    @Test
    void givenNumbers_whenJainIndexIsComputed_thenRangeIsOneOverNToOne() {
        assertEquals(1, Fairness.jain(3, 3, 3, 3), TINY);
        assertEquals(0.25, Fairness.jain(7, 0, 0, 0), TINY);
        assertEquals(0.9, Fairness.jain(1, 2), TINY);
    }

    @Test
    void givenInvalidCommand_whenLogged_thenCallFails() {
        assertThrows(IllegalArgumentException.class, () -> log.add(-1, 0, 0, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> log.add(0, 0, 1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> log.add(0, 0, 0, 2, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> log.add(0, 0, 0, 0, 1, -1));
        run(2, 0, 0, 1);
        assertThrows(IllegalArgumentException.class, () -> measured(TWO, 1));
    }

    /// Logs two alternating virtual machines, numbers 0 and 1, each of which submits when its
    /// command ends. The last turn begins at the end of the interval, so that the command that
    /// waits at that time is logged.
    private void turns(double from, double to, double first, double second) {
        double firstEnd = from;
        double secondEnd = from;
        for (double now = from; now <= to; now += first + second) {
            run(0, firstEnd, now, now + first);
            run(1, secondEnd, now + first, now + first + second);
            firstEnd = now + first;
            secondEnd = now + first + second;
        }
    }

    private void run(int vm, double submitted, double started, double ended) {
        log.add(
                vm,
                0,
                (long) (submitted * MS),
                (long) (started * MS),
                (long) (ended * MS),
                (long) ((ended - started) * MS));
    }

    private Fairness measured(List<TimeShare> shares, long to) {
        return Fairness.of(log, 0, shares, 0, to * MS);
    }
}

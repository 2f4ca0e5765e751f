package io.gpuvm.sched.policy;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.S;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VirtualTimeTest {
    private static final int VMS = 6;
    private static final long DAY_NS = 24 * 3600 * S;

    private final VirtualTime time = new VirtualTime();

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 20), LongStream.of(new Random().nextLong()));
    }

    @Test
    void givenWeights_whenBothVmsUseSameTime_thenHeavierVmAdvancesLess() {
        time.attach(0, 1);
        time.attach(1, 3);
        time.join(0, 0);
        time.join(1, 0);

        time.advance(0, 12);
        time.advance(1, 12);

        assertEquals(12, time.of(0));
        assertEquals(4, time.of(1));
        assertEquals(6, time.mean());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenRandomUse_whenVmsJoinAndLeave_thenDeviationsFromMeanSumToZero(long seed) {
        Random random = new Random(seed);
        for (int vm = 0; vm < VMS; vm++) {
            time.attach(vm, 1 + random.nextInt(10));
        }
        for (int step = 0; step < 5_000; step++) {
            int vm = random.nextInt(VMS);
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (!time.isCompeting(vm)) {
                        time.join(vm, random.nextLong(20 * MS));
                    }
                }
                case 1 -> {
                    if (time.isCompeting(vm)) {
                        time.leave(vm);
                    }
                }
                case 2 -> time.reweigh(vm, 1 + random.nextInt(10));
                default -> time.advance(vm, random.nextLong(50 * MS));
            }
            long sum = 0;
            for (int other = 0; other < VMS; other++) {
                if (time.isCompeting(other)) {
                    sum += time.weight(other) * (time.of(other) - time.mean());
                }
            }
            // Less than a nanosecond per unit of weight: the mean is rounded down.
            assertTrue(sum >= 0, "sum=" + sum);
            assertTrue(sum < Math.max(1, time.competingWeight()), "sum=" + sum);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenRandomUse_whenCharged_thenNoTimeIsLost(long seed) {
        Random random = new Random(seed);
        int weight = 1 + random.nextInt(10_000);
        time.attach(0, weight);
        long used = 0;
        for (int step = 0; step < 1_000; step++) {
            long ns = random.nextLong(100);
            used += ns;
            time.advance(0, ns);
        }

        assertEquals(used / weight, time.of(0));
    }

    @Test
    void givenLaggingVm_whenVmLeavesAndRejoins_thenLagIsLimited() {
        time.attach(0, 1);
        time.attach(1, 1);
        time.join(0, 0);
        time.join(1, 0);
        time.advance(1, 100);
        time.leave(0);

        time.join(0, 30);

        assertEquals(70, time.of(0));
    }

    @Test
    void givenVmAhead_whenSameWeightIsSet_thenLeadIsUnchanged() {
        time.attach(0, 1);
        time.attach(1, 1);
        time.join(0, 0);
        time.join(1, 0);
        time.advance(0, 100);

        for (int i = 0; i < 6; i++) {
            time.reweigh(0, 1);
        }

        assertEquals(100, time.of(0) - time.of(1));
    }

    @Test
    void givenVmAhead_whenWeightChanges_thenLeadInEngineTimeIsUnchanged() {
        time.attach(0, 1);
        time.attach(1, 1);
        time.join(0, 0);
        time.join(1, 0);
        time.advance(0, 100);

        time.reweigh(0, 4);

        assertEquals(25, time.of(0) - time.of(1));

        time.reweigh(0, 1);

        assertEquals(100, time.of(0) - time.of(1));
    }

    @Test
    void givenNonCompetingVmAndYearsOfUse_whenWeightChanges_thenVmIsNotAhead() {
        time.attach(0, TimeShare.MAX_WEIGHT);
        time.attach(1, 1);
        time.join(1, 0);
        for (int day = 0; day < 1_000; day++) {
            time.advance(1, DAY_NS);
        }

        time.reweigh(0, TimeShare.MAX_WEIGHT - 1);

        assertTrue(time.isBehind(0));
    }

    @Test
    void givenNonCompetingVm_whenVmIsChargedForOtherEngine_thenDebtIsLimited() {
        time.attach(0, 1);
        for (int i = 0; i < 6_000; i++) {
            time.advanceUpTo(0, 10 * MS, 20 * MS);
        }

        assertEquals(20 * MS, time.of(0) - time.mean());
    }

    @Test
    void givenDebtAboveLimit_whenTimeIsAdded_thenDebtIsUnchanged() {
        time.attach(0, 1);
        time.advance(0, 50 * MS);

        time.advanceUpTo(0, 10 * MS, 20 * MS);

        assertEquals(50 * MS, time.of(0) - time.mean());
    }
}

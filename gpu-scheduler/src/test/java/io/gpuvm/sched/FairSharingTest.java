package io.gpuvm.sched;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.S;
import static io.gpuvm.sched.TestGpu.US;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.TestGpu.Guest;
import io.gpuvm.sched.TestGpu.Ran;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.statistics.Samples;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the guarantees of FAIR. Unless a test specifies other guests, each guest has one
/// command outstanding; half of the guests have short commands, and half have commands forty times
/// as long. Gaps are 20 to 60 microseconds.
class FairSharingTest {
    private static final long SHORT_NS = 500 * US;
    private static final long LONG_NS = 20 * MS;
    private static final long WARM_UP_NS = S;
    private static final long RUN_NS = 21 * S;
    private static final long STEP_NS = 50 * MS;

    private final Random random = new Random(1);

    @ParameterizedTest
    @CsvSource({"2, 0.99", "4, 0.98", "8, 0.98"})
    void givenFairPolicy_whenShortAndLongCommandsRun_thenJainIndexIsAtLeast98Percent(
            int vms, double least) {
        TestGpu gpu = shortAndLong(PolicyKind.FAIR, vms);

        for (long at = WARM_UP_NS; at + 500 * MS <= RUN_NS; at += STEP_NS) {
            double index = jain(gpu, at, at + 500 * MS);
            assertTrue(index >= least, () -> "index=" + index);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void givenFairPolicy_whenShortAndLongCommandsRun_thenDeviationPerSecondIsWithinLimit(int vms) {
        TestGpu gpu = shortAndLong(PolicyKind.FAIR, vms);

        for (long at = WARM_UP_NS; at + S <= RUN_NS; at += STEP_NS) {
            for (Guest guest : gpu.guests) {
                double deviation = deviationNs(gpu, guest, at, at + S);
                assertTrue(deviation <= LONG_NS + 0.02 * S, () -> "deviation=" + deviation);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void givenFairPolicy_whenShortAndLongCommandsRun_thenTenSecondDeviationIsAtMostTwoPercent(
            int vms) {
        TestGpu gpu = shortAndLong(PolicyKind.FAIR, vms);

        for (long at = WARM_UP_NS; at + 10 * S <= RUN_NS; at += S) {
            for (Guest guest : gpu.guests) {
                assertEquals(0, deviationNs(gpu, guest, at, at + 10 * S), 0.02 * 10 * S);
            }
        }
    }

    @Test
    void givenFairPolicy_whenShortCommandsAreDelayed_thenTenSecondDeviationIsAtMostTwoPercent() {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        gpu.guest(TimeShare.EQUAL, 1, () -> SHORT_NS, heldUpOnceIn(60));
        gpu.guest(TimeShare.EQUAL, 1, () -> LONG_NS, gap());
        gpu.runUntil(RUN_NS);

        for (long at = WARM_UP_NS; at + 10 * S <= RUN_NS; at += S) {
            for (Guest guest : gpu.guests) {
                assertEquals(0, deviationNs(gpu, guest, at, at + 10 * S), 0.02 * 10 * S);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void givenShortAndLongCommands_whenPoliciesAreCompared_thenFairUsesNearlyAsMuchTimeAsFifo(
            int vms) {
        double fair = shortAndLong(PolicyKind.FAIR, vms).usedIn(WARM_UP_NS, RUN_NS);
        double fifo = shortAndLong(PolicyKind.FIFO, vms).usedIn(WARM_UP_NS, RUN_NS);

        assertTrue(fair >= 0.95 * fifo, () -> "fair/fifo=" + fair / fifo);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void givenVmsBelowShare_whenShortAndLongCommandsRun_thenP99WaitIsNearOneLongCommand(int vms) {
        TestGpu gpu = shortAndLong(PolicyKind.FAIR, vms);

        long[] used = new long[vms];
        long[] waits = new long[gpu.ran.size()];
        int count = 0;
        for (Ran command : gpu.ran) {
            // With one command outstanding, all earlier ones have ended.
            long ownNs = used[command.guest()];
            used[command.guest()] += command.usedNs();
            boolean isBelow = ownNs * vms < gpu.usedUntil(command.arrivedNs());
            if (isBelow && command.arrivedNs() >= WARM_UP_NS) {
                waits[count++] = command.waitedNs();
            }
        }
        double p99 = Samples.of(Arrays.copyOf(waits, count)).rank(0.99);
        assertTrue(p99 <= LONG_NS * 11 / 10, () -> "p99=" + p99);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000, 1000", "20000, 500, 5000", "500, 5000, 20000"})
    void givenWeights1And2And4_whenAllVmsWantEngine_thenTimeIsInProportionToWeights(
            long us1, long us2, long us4) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        gpu.guest(TimeShare.ofWeight(1), 1, () -> us1 * US, gap());
        gpu.guest(TimeShare.ofWeight(2), 1, () -> us2 * US, gap());
        gpu.guest(TimeShare.ofWeight(4), 1, () -> us4 * US, gap());
        gpu.runUntil(RUN_NS);

        for (long at = WARM_UP_NS; at + 2 * S <= RUN_NS; at += STEP_NS) {
            double used = gpu.usedIn(at, at + 2 * S);
            assertEquals(1 / 7.0, gpu.usedIn(0, at, at + 2 * S) / used, 0.03);
            assertEquals(2 / 7.0, gpu.usedIn(1, at, at + 2 * S) / used, 0.03);
            assertEquals(4 / 7.0, gpu.usedIn(2, at, at + 2 * S) / used, 0.03);
        }
    }

    @ParameterizedTest
    @CsvSource({"500, 20000", "20000, 500", "20000, 20000"})
    void givenCap_whenVmWantsMore_thenVmGetsAtMostCapPlusOneCommand(long us, long others) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        gpu.guest(TimeShare.EQUAL.withCap(25), 1, () -> us * US, gap());
        gpu.guest(TimeShare.EQUAL, 1, () -> others * US, gap());
        gpu.runUntil(RUN_NS);

        for (long at = 0; at + 2 * S <= RUN_NS; at += STEP_NS) {
            assertTrue(gpu.usedIn(0, at, at + 2 * S) <= 0.25 * 2 * S + LONG_NS);
        }
        assertEquals(0.25, gpu.usedIn(0, WARM_UP_NS, RUN_NS) / (20.0 * S), 0.01);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 10, 1000",
        "300, 10, 1000",
        "300, 100, 5000",
        "300, 10, 550",
        "500, 10, 1000",
        "500, 1, 480",
        "700, 10, 550",
        "900, 10, 1000",
        "900, 100, 5000"
    })
    void givenShortAndLongCommands_whenLightVmsAreAdded_thenVmWithShortCommandsRetainsShare(
            long shortUs, long lightUs, long lightGapUs) {
        double alone = shareOfShort(shortUs, 0, lightUs, lightGapUs);
        double withOne = shareOfShort(shortUs, 1, lightUs, lightGapUs);
        double withThree = shareOfShort(shortUs, 3, lightUs, lightGapUs);

        assertTrue(withOne >= alone - 0.03, () -> "alone=" + alone + ", withOne=" + withOne);
        assertTrue(withThree >= alone - 0.05, () -> "alone=" + alone + ", three=" + withThree);
    }

    /// Returns the used time of the guest with short commands as a fraction of the time that this
    /// guest and the guest with long commands use together.
    private double shareOfShort(long shortUs, int lights, long lightUs, long lightGapUs) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        gpu.guest(TimeShare.EQUAL, 1, () -> shortUs * US, () -> 40 * US);
        gpu.guest(TimeShare.EQUAL, 1, () -> LONG_NS, () -> 40 * US);
        for (int i = 0; i < lights; i++) {
            gpu.guest(TimeShare.EQUAL, 1, () -> lightUs * US, () -> lightGapUs * US);
        }
        gpu.runUntil(5 * S);
        double ofShort = gpu.usedIn(0, WARM_UP_NS, 5 * S);
        return ofShort / (ofShort + gpu.usedIn(1, WARM_UP_NS, 5 * S));
    }

    @ParameterizedTest
    @CsvSource({"10, 450", "10, 200", "1, 450", "40, 100"})
    void givenGapsLongerThanCommands_whenOtherVmsWait_thenEngineDoesNotWait(
            long lengthUs, long gapUs) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        gpu.guest(TimeShare.EQUAL, 1, () -> lengthUs * US, () -> gapUs * US);
        gpu.guest(TimeShare.EQUAL, 2, () -> LONG_NS, () -> 40 * US);
        gpu.runUntil(RUN_NS);

        assertEquals(RUN_NS - WARM_UP_NS, gpu.usedIn(WARM_UP_NS, RUN_NS), 0.002 * RUN_NS);
    }

    @Test
    void givenPause_whenVmReturns_thenVmStartsAfterRunningCommandAndPauseHasNoLastingEffect() {
        for (int round = 0; round < 20; round++) {
            long backNs = 5 * S + random.nextLong(100 * MS);
            TestGpu gpu = shortAndLongUntil(0, 4);
            Guest pausing = gpu.guests.getFirst();
            gpu.at(2 * S, pausing::pause);
            gpu.at(backNs, pausing::resume);
            gpu.runUntil(10 * S);

            Ran first =
                    gpu.ran.stream()
                            .filter(r -> r.guest() == 0 && r.startedNs() >= backNs)
                            .findFirst()
                            .orElseThrow();
            long started =
                    gpu.ran.stream()
                            .filter(r ->
                                    r.startedNs() >= backNs && r.endedNs() <= first.startedNs())
                            .count();
            assertEquals(0, started, "commands that ran before the returning guest's");
            for (Guest guest : gpu.guests) {
                double deviation = deviationNs(gpu, guest, backNs + 2 * S, backNs + 3 * S);
                assertTrue(deviation <= LONG_NS, () -> "deviation=" + deviation);
            }
        }
    }

    @Test
    void givenFourVms_whenOneVmFloodsQueue_thenAllVmsGetEqualTime() {
        TestGpu gpu = shortAndLongUntil(0, 4);
        gpu.guests.getLast().flood(500);
        gpu.runUntil(RUN_NS);

        for (Guest guest : gpu.guests) {
            assertEquals(0, deviationNs(gpu, guest, WARM_UP_NS, RUN_NS), 0.01 * RUN_NS);
        }
    }

    private TestGpu shortAndLong(PolicyKind kind, int vms) {
        TestGpu gpu = attach(kind, vms);
        gpu.runUntil(RUN_NS);
        return gpu;
    }

    private TestGpu shortAndLongUntil(long untilNs, int vms) {
        TestGpu gpu = attach(PolicyKind.FAIR, vms);
        gpu.runUntil(untilNs);
        return gpu;
    }

    private TestGpu attach(PolicyKind kind, int vms) {
        TestGpu gpu = new TestGpu(kind);
        for (int vm = 0; vm < vms; vm++) {
            long lengthNs = vm < vms / 2 ? SHORT_NS : LONG_NS;
            gpu.guest(TimeShare.EQUAL, 1, () -> lengthNs, gap());
        }
        return gpu;
    }

    private LongSupplier gap() {
        return () -> 20 * US + random.nextLong(40 * US);
    }

    /// Returns gaps with occasional delays, as on a host with fewer processors than guests.
    private LongSupplier heldUpOnceIn(int commands) {
        LongSupplier gap = gap();
        return () -> random.nextInt(commands) == 0 ? 5 * MS : gap.getAsLong();
    }

    private static double deviationNs(TestGpu gpu, Guest guest, long fromNs, long toNs) {
        double due = (double) gpu.usedIn(fromNs, toNs) / gpu.guests.size();
        return Math.abs(gpu.usedIn(guest.number, fromNs, toNs) - due);
    }

    private static double jain(TestGpu gpu, long fromNs, long toNs) {
        double sum = 0;
        double squares = 0;
        for (Guest guest : gpu.guests) {
            double used = gpu.usedIn(guest.number, fromNs, toNs);
            sum += used;
            squares += used * used;
        }
        return sum * sum / (gpu.guests.size() * squares);
    }
}

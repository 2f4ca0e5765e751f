package io.gpuvm.sched;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.S;
import static io.gpuvm.sched.TestGpu.US;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.TestGpu.Guest;
import io.gpuvm.sched.TestGpu.Ran;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of properties that the policies have regardless of the guests' behaviour.
class PolicyPropertiesTest {
    private static final long RUN_NS = 2 * S;
    private static final int SEEDS = 6;
    private static final int MOST_VMS = 10;

    private static final long LONGEST_NS = RandomGuests.LONGEST_NS;

    static LongStream seeds() {
        return LongStream.concat(
                LongStream.range(0, SEEDS), LongStream.of(new Random().nextLong()));
    }

    static Stream<PolicyKind> boundedPolicies() {
        return PolicyKind.ALL.stream().filter(kind -> kind != PolicyKind.FIFO);
    }

    static Stream<Arguments> boundedPoliciesAndSeeds() {
        return policiesAndSeeds().filter(arguments -> arguments.get()[0] != PolicyKind.FIFO);
    }

    static Stream<Arguments> policiesAndSeeds() {
        return PolicyKind.ALL.stream()
                .flatMap(kind -> seeds().mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest
    @MethodSource("boundedPoliciesAndSeeds")
    void givenRandomGuests_whenCommandsWait_thenLongestWaitIsWithinBound(
            PolicyKind kind, long seed) {
        double part = longestWaitOfBound(kind, seed);

        assertTrue(part <= 1, () -> "wait/bound=" + part);
    }

    @ParameterizedTest
    @MethodSource("boundedPolicies")
    void givenRandomGuests_whenCommandsWait_thenLongestWaitReachesFractionOfBound(PolicyKind kind) {
        double part =
                LongStream.range(0, SEEDS)
                        .mapToDouble(seed -> longestWaitOfBound(kind, seed))
                        .max()
                        .orElseThrow();

        assertTrue(part >= leastOfBound(kind), () -> "wait/bound=" + part);
    }

    /// With FAIR, the lag of delayed guests is largest if they delay themselves and then all return
    /// together: each guest that returns moves the mean back for the next guest.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 10})
    void givenFairPolicy_whenDelayedVmsReturnTogether_thenLongestWaitIsBetweenHalfAndFullBound(
            int vms) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        long floodsNs = 2 * S;
        long longNs = 16 * MS;
        gpu.guest(TimeShare.EQUAL, 2, () -> longNs, () -> 0);
        for (int vm = 1; vm < vms; vm++) {
            int[] commands = new int[1];
            Guest guest =
                    gpu.guest(
                            TimeShare.EQUAL,
                            1,
                            () -> gpu.nowNs() < floodsNs ? 400 * US : longNs,
                            () -> {
                                boolean holdsUp = gpu.nowNs() < floodsNs && ++commands[0] % 4 == 0;
                                return holdsUp ? 19_500 * US : 10 * US;
                            });
            gpu.at(floodsNs + vm * 3 * MS, () -> guest.flood(3));
        }
        gpu.runUntil(floodsNs + 2 * longestWaitNs(PolicyKind.FAIR, vms));

        double part = (double) gpu.longestWaitNs(0) / longestFairWaitNs(vms, longNs);
        assertTrue(part <= 1, () -> "wait/bound=" + part);
        assertTrue(part >= 0.5, () -> "wait/bound=" + part);
    }

    /// Returns the longest wait of any guest, relative to the bound, in a run longer than the
    /// bound.
    private static double longestWaitOfBound(PolicyKind kind, long seed) {
        TestGpu gpu = disturbed(kind, seed, longestWaitNs(kind, MOST_VMS) * 5 / 4);
        long longest = 0;
        for (Guest guest : gpu.guests) {
            longest = Math.max(longest, gpu.longestWaitNs(guest.number));
        }
        return (double) longest / longestWaitNs(kind, gpu.guests.size());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenFifoPolicy_whenCommandsWait_thenCommandsRunInArrivalOrder(long seed) {
        List<Long> arrivals =
                disturbed(PolicyKind.FIFO, seed, RUN_NS).ran.stream().map(Ran::arrivedNs).toList();

        assertEquals(arrivals.stream().sorted().toList(), arrivals);
    }

    @ParameterizedTest
    @MethodSource("policiesAndSeeds")
    void givenRandomGuests_whenCommandsWait_thenIdleTimeIsWithinPolicyLimit(
            PolicyKind kind, long seed) {
        TestGpu gpu = disturbed(kind, seed, RUN_NS);

        long usedNs = gpu.ran.stream().mapToLong(Ran::usedNs).sum();
        switch (kind) {
            case PolicyKind.Fifo _, PolicyKind.Credit _ -> assertEquals(0, gpu.heldNs);
            case PolicyKind.Band band -> assertTrue(gpu.longestHoldNs <= band.waitNs());
            case PolicyKind.Fair fair -> {
                assertTrue(gpu.longestHoldNs <= fair.longestWaitNs());
                assertTrue(gpu.heldNs <= usedNs * fair.waitPercent() / 100);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("policiesAndSeeds")
    void givenSameArrivals_whenSimulationRunsTwice_thenDecisionsAreEqual(
            PolicyKind kind, long seed) {
        assertEquals(disturbed(kind, seed, S).ran, disturbed(kind, seed, S).ran);
    }

    @ParameterizedTest
    @MethodSource("policiesAndSeeds")
    void givenSameArrivals_whenPolicyIsQueriedMoreOften_thenDecisionsAreEqual(
            PolicyKind kind, long seed) {
        TestGpu asked = new TestGpu(kind);
        Random random = new Random(seed);
        Runnable ask =
                () -> {
                    if (random.nextBoolean()) {
                        asked.scheduler.next(0, asked.nowNs());
                        asked.scheduler.nanosUntilDecision(0, asked.nowNs());
                    }
                };
        asked.aroundEvents = ask;
        for (long at = 0; at < S; at += random.nextLong(400 * US)) {
            asked.at(at, ask);
        }

        assertEquals(disturbed(kind, seed, S).ran, disturbed(asked, seed, S).ran);
    }

    @ParameterizedTest
    @MethodSource("policiesAndSeeds")
    void givenRecordedEvents_whenPolicyIsQueriedOnlyAtCommandStarts_thenDecisionsAreEqual(
            PolicyKind kind, long seed) {
        TestGpu gpu = new TestGpu(kind);
        RandomGuests guests = new RandomGuests(seed, gpu);
        for (int vm = 0; vm < 2 + guests.below(MOST_VMS - 1); vm++) {
            guests.disturb(guests.add(share(guests)), S);
        }
        gpu.runUntil(S);

        assertEquals(gpu.started(), gpu.chosenAgain(kind));
    }

    @ParameterizedTest
    @MethodSource("policiesAndSeeds")
    void givenChangingGuests_whenPolicyAndSharesChange_thenWaitingCommandsRun(
            PolicyKind kind, long seed) {
        TestGpu gpu = new TestGpu(kind);
        RandomGuests guests = new RandomGuests(seed, gpu);
        List<Guest> present = new ArrayList<>();
        for (long at = 0; at < 2 * S; at += guests.logUniform(MS, 100 * MS)) {
            gpu.runUntil(at);
            int choice = guests.below(6);
            if (choice < 2 || present.isEmpty()) {
                present.add(guests.add(share(guests)));
            } else if (choice == 2) {
                present.remove(guests.below(present.size())).leave();
            } else if (choice == 3) {
                PolicyKind other = PolicyKind.ALL.get(guests.below(PolicyKind.ALL.size()));
                gpu.scheduler.policy(other, gpu.nowNs());
            } else {
                Guest guest = present.get(guests.below(present.size()));
                gpu.scheduler.share(guest.account, share(guests), gpu.nowNs());
            }
        }
        for (Guest guest : present) {
            guest.pause();
            gpu.scheduler.share(guest.account, TimeShare.EQUAL, gpu.nowNs());
        }
        gpu.runUntil(gpu.nowNs() + 10 * S);

        assertEquals(0, gpu.waiting());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenFairPolicy_whenAllVmsAlwaysWait_thenLeadIsAtMostOneCommand(long seed) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        RandomGuests guests = new RandomGuests(seed, gpu);
        int vms = 2 + guests.below(8);
        long weights = 0;
        for (int vm = 0; vm < vms; vm++) {
            TimeShare share = TimeShare.ofWeight(1 + guests.below(4));
            weights += share.weight();
            guests.addGreedy(share);
        }
        gpu.runUntil(RUN_NS);

        long[] used = new long[vms];
        long total = 0;
        for (Ran command : gpu.ran) {
            used[command.guest()] += command.usedNs();
            total += command.usedNs();
            for (Guest guest : gpu.guests) {
                long dueNs = total * guest.account.share().weight() / weights;
                long aheadNs = used[guest.number] - dueNs;
                assertTrue(aheadNs <= LONGEST_NS, () -> "ahead=" + aheadNs);
                assertTrue(-aheadNs <= 2 * LONGEST_NS, () -> "behind=" + -aheadNs);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenFairPolicy_whenSomeVmsAreCapped_thenCapsAreExceededByAtMostOneCommand(long seed) {
        TestGpu gpu = new TestGpu(PolicyKind.FAIR);
        RandomGuests guests = new RandomGuests(seed, gpu);
        for (int vm = 0; vm < 2 + guests.below(6); vm++) {
            guests.disturb(guests.add(share(guests)), RUN_NS);
        }
        gpu.runUntil(RUN_NS);

        for (Guest guest : gpu.guests) {
            int cap = guest.account.share().capPercent();
            List<Ran> own = gpu.ran.stream().filter(r -> r.guest() == guest.number).toList();
            for (int first = 0; first < own.size(); first += 97) {
                long usedNs = 0;
                for (int last = first; last < own.size(); last++) {
                    usedNs += own.get(last).usedNs();
                    long windowNs = own.get(last).endedNs() - own.get(first).startedNs();
                    long mostNs = windowNs * cap / 100 + LONGEST_NS;
                    long got = usedNs;
                    assertTrue(got <= mostNs, () -> "used=" + got + ", most=" + mostNs);
                }
            }
        }
    }

    private static TestGpu disturbed(PolicyKind kind, long seed, long untilNs) {
        return disturbed(new TestGpu(kind), seed, untilNs);
    }

    private static TestGpu disturbed(TestGpu gpu, long seed, long untilNs) {
        RandomGuests guests = new RandomGuests(seed, gpu);
        int vms = 2 + guests.below(MOST_VMS - 1);
        for (int vm = 0; vm < vms; vm++) {
            Guest guest = guests.add(TimeShare.EQUAL);
            if (guests.below(3) == 0) {
                guests.disturb(guest, untilNs);
            }
        }
        gpu.runUntil(untilNs);
        return gpu;
    }

    private static TimeShare share(RandomGuests guests) {
        TimeShare share = TimeShare.ofWeight(1 + guests.below(8));
        return guests.below(3) == 0 ? share.withCap(1 + guests.below(100)) : share;
    }

    /// Returns the bound that the policy's description states, for the commands and weights of this
    /// test.
    private static long longestWaitNs(PolicyKind kind, int vms) {
        return switch (kind) {
            case PolicyKind.Fifo _ -> throw new AssertionError("unbounded: depends on the queue");
            case PolicyKind.Credit credit -> 2 * vms * (credit.periodNs() + vms * LONGEST_NS);
            case PolicyKind.Band band ->
                    2 * (band.windowNs() + LONGEST_NS)
                            + 2 * vms * (band.periodNs() + 4 * LONGEST_NS);
            case PolicyKind.Fair _ -> longestFairWaitNs(vms, LONGEST_NS);
        };
    }

    private static long longestFairWaitNs(int vms, long longestNs) {
        double harmonic = IntStream.rangeClosed(2, vms).mapToDouble(n -> 1.0 / n).sum();
        return Math.round((4 * vms * harmonic + 2 * (vms - 1)) * longestNs);
    }

    /// Returns the smallest fraction of the bound that the longest wait must reach. The bounds of
    /// CREDIT and BAND assume that all guests have the longest commands, which random guests do not
    /// have; the bound of FAIR assumes guests that delay themselves.
    private static double leastOfBound(PolicyKind kind) {
        return switch (kind) {
            case PolicyKind.Fifo _ -> throw new AssertionError("unbounded: depends on the queue");
            case PolicyKind.Credit _ -> 0.01;
            case PolicyKind.Band _ -> 0.05;
            case PolicyKind.Fair _ -> 0.05;
        };
    }
}

package io.gpuvm.sched.policy;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.S;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CreditLedgerTest {
    private static final int VMS = 5;
    private static final long PERIOD_NS = 30 * MS;

    /// Backlog without waiting commands: only running commands exist.
    private static final Backlog EMPTY =
            new Backlog() {
                @Override
                public int waiting(int vm) {
                    return 0;
                }

                @Override
                public long headSequence(int vm) {
                    throw new IllegalStateException();
                }
            };

    private final IdleTime idle = new IdleTime(EMPTY);
    private final CreditLedger ledger = new CreditLedger(idle, PERIOD_NS, grant -> 2 * grant);

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 20), LongStream.of(new Random().nextLong()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenUseWithinLimits_whenCreditsAreGranted_thenSumIsConserved(long seed) {
        Random random = new Random(seed);
        CreditLedger unlimited = new CreditLedger(idle, PERIOD_NS, _ -> Long.MAX_VALUE);
        for (int vm = 0; vm < VMS; vm++) {
            idle.attach(vm);
            unlimited.attach(vm, 0);
        }
        long nowNs = 0;
        long chargedNs = 0;
        for (int command = 0; command < 2_000; command++) {
            // Too short for a period in which no command runs.
            nowNs += random.nextLong(MS);
            unlimited.replenish(nowNs);
            int vm = random.nextInt(VMS);
            long usedNs = 1 + random.nextLong(50 * MS);
            idle.onStarted(vm, nowNs);
            nowNs += usedNs;
            unlimited.charge(vm, usedNs);
            chargedNs += usedNs;
            unlimited.replenish(nowNs);
            idle.onCompleted(vm, nowNs);

            long creditsNs = IntStream.range(0, VMS).mapToLong(unlimited::credit).sum();
            long undividedNs = unlimited.handedOutNs() - chargedNs - creditsNs;
            assertTrue(undividedNs >= 0, () -> "undivided=" + undividedNs);
            assertTrue(undividedNs < VMS, () -> "undivided=" + undividedNs);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenRandomUse_whenCreditsAreGranted_thenSumOfGrantsIsElapsedTime(long seed) {
        Random random = new Random(seed);
        for (int vm = 0; vm < VMS; vm++) {
            idle.attach(vm);
            ledger.attach(vm, 0);
        }
        long nowNs = 0;
        for (int command = 0; command < 2_000; command++) {
            nowNs += random.nextInt(10) == 0 ? random.nextLong(S) : random.nextLong(MS);
            ledger.replenish(nowNs);
            int vm = random.nextInt(VMS);
            long usedNs = 1 + random.nextLong(50 * MS);
            idle.onStarted(vm, nowNs);
            nowNs += usedNs;
            ledger.charge(vm, usedNs);
            ledger.replenish(nowNs);
            idle.onCompleted(vm, nowNs);

            // All elapsed time was granted, except for the current period.
            long missingNs = nowNs - ledger.handedOutNs();
            assertTrue(missingNs >= 0, () -> "missing=" + missingNs);
            assertTrue(missingNs < PERIOD_NS + VMS, () -> "missing=" + missingNs);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void givenRandomUse_whenCreditsAreGranted_thenCreditsAreWithinLimits(long seed) {
        Random random = new Random(seed);
        idle.attach(0);
        ledger.attach(0, 0);
        long nowNs = 0;
        for (int command = 0; command < 2_000; command++) {
            nowNs += random.nextLong(100 * MS);
            ledger.replenish(nowNs);
            long usedNs = 1 + random.nextLong(50 * MS);
            idle.onStarted(0, nowNs);
            nowNs += usedNs;
            ledger.charge(0, usedNs);
            idle.onCompleted(0, nowNs);
            nowNs += PERIOD_NS;
            ledger.replenish(nowNs);

            long credit = ledger.credit(0);
            // A single virtual machine gets all time: at most a command and the silence after it
            // have elapsed.
            assertTrue(Math.abs(credit) <= 2 * (50 * MS + PERIOD_NS), () -> "credit=" + credit);
        }
    }
}

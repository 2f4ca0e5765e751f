package io.gpuvm.sched.policy;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.S;
import static io.gpuvm.sched.TestGpu.US;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.TestGpu;
import io.gpuvm.sched.Turns;
import io.gpuvm.sched.VmAccount;
import org.junit.jupiter.api.Test;

class CreditPolicyTest {
    private static final long PERIOD_NS = 30 * MS;

    private final Turns turns = new Turns(new PolicyKind.Credit(PERIOD_NS));
    private final VmAccount first = turns.attach("first", TimeShare.EQUAL);
    private final VmAccount second = turns.attach("second", TimeShare.EQUAL);

    @Test
    void givenEmptyQueues_whenNextIsCalled_thenNoCommandRuns() {
        assertNull(turns.next());
    }

    @Test
    void givenCredits_whenBothVmsWait_thenFirstVmInListRunsRegardlessOfArrivalOrder() {
        turns.submit(second, first);

        turns.runs(first, MS);
    }

    @Test
    void givenNoCredit_whenCommandEnds_thenVmMovesToEndOfList() {
        turns.submit(first, second, first);

        // Initially all credits are 0, so the first command overdraws.
        turns.runs(first, MS);
        turns.runs(second, MS);
        turns.runs(first, MS);
    }

    @Test
    void givenElapsedPeriod_whenCreditsAreReplenished_thenEachVmGetsEqualPart() {
        turns.submit(first);
        turns.runs(first, 40 * MS);
        turns.submit(first, second);

        // Elapsed: 40 ms, +20 ms each. First had a debt of 40 ms.
        turns.runs(second, 19 * MS);
        turns.submit(second);
        turns.runs(second, 2 * MS);
        turns.submit(second);
        turns.runs(first, MS);
    }

    @Test
    void givenForgivenDebt_whenCommandEnds_thenVmMovesToEndOfList() {
        VmAccount third = turns.attach("third", TimeShare.EQUAL);
        turns.submit(first, second, third, first, second, third);

        // Each command takes a period, which is more than the largest debt.
        turns.runs(first, 40 * MS);
        turns.runs(second, 40 * MS);
        turns.runs(third, 40 * MS);
        turns.runs(first, 40 * MS);
    }

    @Test
    void givenLongSilence_whenBothVmsReturn_thenCreditIsLimitedToPartOfPeriod() {
        turns.pass(10 * S);
        turns.submit(first, second);

        turns.runsAndComesBack(first, 14 * MS);
        turns.runsAndComesBack(first, 2 * MS);
        turns.runsAndComesBack(second, MS);
    }

    @Test
    void givenQueuedCommandsOfOneVm_whenOtherVmArrives_thenEachVmRunsUntilCreditIsUsed() {
        for (int i = 0; i < 20; i++) {
            turns.submit(first, second);
        }
        for (int i = 0; i < 40; i++) {
            turns.run(MS);
        }

        assertEquals(20 * MS, first.usedNs());
        assertEquals(20 * MS, second.usedNs());
    }

    @Test
    void givenShortCommandsWithGaps_whenLongCommandsCompete_thenLongCommandsGetMostTime() {
        TestGpu gpu = new TestGpu(PolicyKind.CREDIT);
        gpu.guest(TimeShare.EQUAL, 1, () -> 500 * US, () -> 40 * US);
        gpu.guest(TimeShare.EQUAL, 1, () -> 20 * MS, () -> 40 * US);

        gpu.runUntil(2 * S);

        assertTrue(gpu.usedIn(0, S, 2 * S) < 0.05 * S, "expected the published weakness");
    }
}

package io.gpuvm.sched.policy;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.US;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.Turns;
import io.gpuvm.sched.VmAccount;
import org.junit.jupiter.api.Test;

class FairPolicyTest {
    private static final long GAP_NS = 40 * US;
    private static final long LONGEST_WAIT_NS = 500 * US;
    private static final long PAUSE_NS = 100 * MS;

    private final Turns turns = new Turns(PolicyKind.FAIR);
    private final VmAccount light = turns.attach("light", TimeShare.EQUAL);
    private final VmAccount heavy = turns.attach("heavy", TimeShare.EQUAL);

    @Test
    void givenEmptyQueues_whenNextIsCalled_thenNoCommandRunsAndEngineDoesNotWait() {
        assertNull(turns.next());
        assertEquals(SchedulingPolicy.NEVER, turns.nanosUntilDecision());
    }

    @Test
    void givenUnequalUse_whenBothVmsWait_thenLaggingVmRunsUntilUseIsEqual() {
        turns.submit(heavy, light);
        turns.runsAndComesBack(heavy, 20 * MS);

        for (int i = 0; i <= 20; i++) {
            turns.runsAndComesBack(light, MS);
        }
        turns.runsAndComesBack(heavy, 20 * MS);
        turns.runs(light, MS);
    }

    @Test
    void givenDoubleWeight_whenBothVmsAlwaysWait_thenVmGetsDoubleTime() {
        turns.scheduler.share(heavy, TimeShare.ofWeight(2), turns.nowNs);
        turns.submit(heavy, light);

        for (int i = 0; i < 300; i++) {
            turns.submit(turns.run(MS));
        }

        assertEquals(200 * MS, heavy.usedNs(), MS);
        assertEquals(100 * MS, light.usedNs(), MS);
    }

    @Test
    void givenLaggingVmInGap_whenLongCommandWouldRun_thenEngineWaitsForNextCommand() {
        learnGapOfLight(MS);
        turns.runsAndComesBack(heavy, 20 * MS);
        turns.runs(light, MS);

        assertNull(turns.next());
        // Long enough to cover occasional delays of a thread, and no longer.
        assertEquals(LONGEST_WAIT_NS / 4, turns.nanosUntilDecision());

        turns.pass(GAP_NS);
        turns.submit(light);
        turns.runs(light, MS);
    }

    @Test
    void givenLaggingVm_whenNextCommandIsLate_thenOtherVmRunsAndEngineDoesNotWaitAgain() {
        learnGapOfLight(MS);
        turns.runsAndComesBack(heavy, 20 * MS);
        turns.runs(light, MS);
        assertNull(turns.next());
        turns.pass(turns.nanosUntilDecision());

        turns.runsAndComesBack(heavy, 20 * MS);
        turns.runs(heavy, 20 * MS);
    }

    @Test
    void givenLaggingVmInGap_whenOtherCommandIsShort_thenEngineDoesNotWait() {
        learnGapOfLight(50 * US);
        turns.runsAndComesBack(heavy, 100 * US);
        turns.runs(light, 50 * US);

        turns.runs(heavy, 100 * US);
    }

    @Test
    void givenPause_whenVmReturns_thenVmRunsFirstWithoutAccumulatedTime() {
        turns.submit(light, heavy);
        turns.runs(light, MS);
        for (int i = 0; i < 10; i++) {
            turns.runsAndComesBack(heavy, 20 * MS);
        }
        turns.submit(light);

        turns.runsAndComesBack(light, MS);
        turns.runsAndComesBack(heavy, 20 * MS);
        for (int i = 0; i < 20; i++) {
            turns.runsAndComesBack(light, MS);
        }
        turns.runs(heavy, 20 * MS);
    }

    @Test
    void givenVmAhead_whenVmPausesAndOtherVmsDoNotCatchUp_thenDebtRemains() {
        turns.submit(light, heavy);
        turns.runsAndComesBack(light, MS);
        turns.runs(heavy, 50 * MS);
        for (int i = 0; i < 30; i++) {
            turns.runsAndComesBack(light, MS);
        }
        turns.submit(heavy);

        for (int i = 0; i < 15; i++) {
            turns.runsAndComesBack(light, MS);
        }
    }

    @Test
    void givenVmAlone_whenOtherVmArrives_thenFirstVmIsNotPenalized() {
        turns.submit(heavy);
        for (int i = 0; i < 50; i++) {
            turns.runsAndComesBack(heavy, 20 * MS);
        }
        turns.submit(light);

        turns.runsAndComesBack(light, 20 * MS);
        turns.runsAndComesBack(heavy, 20 * MS);
        turns.runsAndComesBack(light, 20 * MS);
    }

    @Test
    void givenCap_whenEngineIsOtherwiseIdle_thenVmWaitsUntilCapAllowsNextCommand() {
        turns.scheduler.share(light, TimeShare.EQUAL.withCap(25), turns.nowNs);
        turns.submit(light);
        turns.runsAndComesBack(light, MS);

        assertNull(turns.next());
        assertEquals(3 * MS, turns.nanosUntilDecision());
        turns.pass(3 * MS);
        turns.runs(light, MS);
    }

    @Test
    void givenVmHeldByCap_whenCapIsRemoved_thenVmRunsImmediately() {
        turns.scheduler.share(light, TimeShare.EQUAL.withCap(1), turns.nowNs);
        turns.submit(light);
        turns.runsAndComesBack(light, 10 * MS);
        assertNull(turns.next());

        turns.scheduler.share(light, TimeShare.EQUAL, turns.nowNs);

        assertSame(light, turns.next());
    }

    @Test
    void givenBlockedCommand_whenOtherVmRuns_thenVmAccumulatesNoTime() {
        turns.submit(light, heavy);
        turns.scheduler.take(light, 0, turns.nowNs);
        for (int i = 0; i < 10; i++) {
            turns.runsAndComesBack(heavy, 20 * MS);
        }
        turns.scheduler.completed(light, 0, MS, turns.nowNs);
        turns.submit(light);

        assertTurnsOfLight(21);
    }

    @Test
    void givenBlockedCommand_whenSecondCommandOfVmRuns_thenVmAccumulatesNoTime() {
        learnGapOfLight(MS);
        turns.scheduler.take(light, 0, turns.nowNs);
        turns.runsAndComesBack(heavy, 20 * MS);
        turns.submit(light);
        turns.scheduler.take(light, 0, turns.nowNs);
        turns.scheduler.completed(light, 0, MS, turns.nowNs);
        for (int i = 0; i < 10; i++) {
            turns.runsAndComesBack(heavy, 20 * MS);
        }
        turns.scheduler.completed(light, 0, MS, turns.nowNs);
        turns.submit(light);

        assertTurnsOfLight(22);
    }

    @Test
    void givenBlockedCommand_whenVmQueuesAnotherCommand_thenVmHasAccumulatedNoTime() {
        turns.submit(light, heavy);
        turns.scheduler.take(light, 0, turns.nowNs);
        for (int i = 0; i < 10; i++) {
            turns.runsAndComesBack(heavy, 20 * MS);
        }
        turns.submit(light);

        assertTurnsOfLight(21);
    }

    @Test
    void givenTimeOnOtherEngine_whenCharged_thenTimeCounts() {
        turns.submit(light, heavy);
        turns.runsAndComesBack(light, MS);
        turns.runsAndComesBack(heavy, MS);

        turns.scheduler.charge(light, 0, 10 * MS, turns.nowNs);

        for (int i = 0; i < 9; i++) {
            turns.runsAndComesBack(heavy, MS);
        }
    }

    @Test
    void givenLongTimeOnOtherEngine_whenVmSubmitsCommand_thenDebtIsAtMostOneCommand() {
        for (int i = 0; i < 6_000; i++) {
            turns.pass(10 * MS);
            turns.scheduler.charge(light, 0, 10 * MS, turns.nowNs);
        }
        turns.submit(heavy);
        turns.runsAndComesBack(heavy, MS);
        turns.submit(light);

        int turnsOfHeavy = 0;
        while (turns.next() == heavy) {
            turns.runsAndComesBack(heavy, MS);
            turnsOfHeavy++;
        }
        assertTrue(turnsOfHeavy >= 8 && turnsOfHeavy <= 11, "turns=" + turnsOfHeavy);
    }

    @Test
    void givenVmAhead_whenSameShareIsSetAgain_thenDebtRemains() {
        turns.submit(light, heavy);
        turns.runsAndComesBack(light, 100 * MS);
        for (int i = 0; i < 6; i++) {
            turns.scheduler.share(light, TimeShare.EQUAL, turns.nowNs);
        }

        for (int i = 0; i < 100; i++) {
            turns.runsAndComesBack(heavy, MS);
        }
    }

    /// Asserts the maximum number of 1 ms commands that the light guest runs before the heavy
    /// guest.
    private void assertTurnsOfLight(int most) {
        int count = 0;
        while (turns.next() == light) {
            turns.runsAndComesBack(light, MS);
            count++;
        }
        int had = count;
        assertTrue(had <= most, () -> "turns=" + had);
    }

    /// Runs ten commands of the light guest with equal gaps, then submits a command of each guest.
    private void learnGapOfLight(long lengthNs) {
        for (int i = 0; i < 10; i++) {
            turns.submit(light);
            turns.runs(light, lengthNs);
            turns.pass(GAP_NS);
        }
        turns.submit(heavy, light);
    }
}

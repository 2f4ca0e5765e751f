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

class BandPolicyTest {
    private static final long WAIT_NS = 500 * US;

    private final Turns turns = new Turns(new PolicyKind.Band(30 * MS, S, WAIT_NS));
    private final VmAccount light = turns.attach("light", TimeShare.EQUAL);
    private final VmAccount heavy = turns.attach("heavy", TimeShare.EQUAL);

    @Test
    void givenEmptyQueues_whenNextIsCalled_thenNoCommandRunsAndEngineDoesNotWait() {
        assertNull(turns.next());
        assertEquals(SchedulingPolicy.NEVER, turns.nanosUntilDecision());
    }

    @Test
    void givenVmAboveShare_whenBothVmsWait_thenVmBelowShareRuns() {
        makeHeavy();
        turns.submit(heavy, light);

        turns.runsAndComesBack(light, MS);
        turns.runs(light, MS);
    }

    @Test
    void givenVmBelowShareInGap_whenOtherVmWouldRun_thenEngineWaitsForNextCommand() {
        makeHeavy();
        turns.submit(heavy, light);
        turns.runs(light, MS);

        assertNull(turns.next());
        assertEquals(WAIT_NS, turns.nanosUntilDecision());

        turns.pass(40 * US);
        turns.submit(light);
        turns.runs(light, MS);
    }

    @Test
    void givenVmBelowShare_whenNextCommandIsLate_thenOtherVmRuns() {
        makeHeavy();
        turns.submit(heavy, light);
        turns.runs(light, MS);

        assertNull(turns.next());
        turns.pass(WAIT_NS - 1);
        assertNull(turns.next());
        assertEquals(1, turns.nanosUntilDecision());
        turns.pass(1);
        turns.runs(heavy, MS);
    }

    @Test
    void givenVmAboveShareInGap_whenOtherVmWaits_thenEngineDoesNotWait() {
        makeHeavy();
        turns.submit(light);

        turns.runs(light, MS);
    }

    @Test
    void givenNewIntervalWithoutUsedTime_whenVmSubmitsCommand_thenEngineDoesNotWait() {
        makeHeavy();
        turns.pass(S);
        turns.submit(heavy);

        turns.runs(heavy, MS);
    }

    @Test
    void givenLongInterval_whenShortAndLongCommandsRun_thenBothVmsGetHalf() {
        assertEquals(0.5, shareOfShort(PolicyKind.BAND), 0.02);
    }

    @Test
    void givenIntervalOfOnePeriod_whenShortAndLongCommandsRun_thenLongCommandsGetMoreTime() {
        double share = shareOfShort(new PolicyKind.Band(30 * MS, 30 * MS, WAIT_NS));

        assertTrue(share < 0.4, () -> "expected the published weakness, share=" + share);
    }

    /// Makes one virtual machine use 20 ms in the current bandwidth interval, and the other none.
    private void makeHeavy() {
        turns.submit(heavy);
        turns.runs(heavy, 20 * MS);
    }

    private static double shareOfShort(PolicyKind kind) {
        TestGpu gpu = new TestGpu(kind);
        gpu.guest(TimeShare.EQUAL, 1, () -> 500 * US, () -> 40 * US);
        gpu.guest(TimeShare.EQUAL, 1, () -> 20 * MS, () -> 40 * US);
        gpu.runUntil(10 * S);
        double used = gpu.usedIn(0, 0, 10 * S);
        return used / (used + gpu.usedIn(1, 0, 10 * S));
    }
}

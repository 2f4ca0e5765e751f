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
    void givenNothingQueued_whenAsked_thenNobodyRunsAndNothingIsAwaited() {
        assertNull(turns.next());
        assertEquals(SchedulingPolicy.NEVER, turns.nanosUntilDecision());
    }

    @Test
    void givenOneAboveItsShare_whenBothWait_thenTheOneBelowRuns() {
        makeHeavy();
        turns.submit(heavy, light);

        turns.runsAndComesBack(light, MS);
        turns.runs(light, MS);
    }

    @Test
    void givenOneBelowItsShareInItsGap_whenTheOtherWouldRun_thenItsNextCommandIsAwaited() {
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
    void givenOneBelowItsShare_whenItDoesNotComeInTime_thenTheOtherRuns() {
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
    void givenOneAboveItsShareInItsGap_whenTheOtherWaits_thenNothingIsAwaited() {
        makeHeavy();
        turns.submit(light);

        turns.runs(light, MS);
    }

    @Test
    void givenANewBandwidthWindow_whenNobodyHasUsedAnything_thenNothingIsAwaited() {
        makeHeavy();
        turns.pass(S);
        turns.submit(heavy);

        turns.runs(heavy, MS);
    }

    @Test
    void givenShortCommandsAgainstLongOnes_whenBandwidthIsMeasuredLongEnough_thenBothGetHalf() {
        assertEquals(0.5, shareOfShort(PolicyKind.BAND), 0.02);
    }

    @Test
    void givenShortCommandsAgainstLongOnes_whenBandwidthIsMeasuredByPeriod_thenTheLongGetMore() {
        double share = shareOfShort(new PolicyKind.Band(30 * MS, 30 * MS, WAIT_NS));

        assertTrue(share < 0.4, () -> "the published weak spot, share=" + share);
    }

    /// The one has used 20 ms, and the other one nothing, since the window began.
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

package io.gpuvm.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GpuSchedulerTest {
    private static final int LIMIT = 4;
    private static final int KERNELS = 0;
    private static final int COPIES = 1;

    private final GpuScheduler scheduler = new GpuScheduler(PolicyKind.FIFO, 2, LIMIT);
    private final VmAccount first = scheduler.attach("first", TimeShare.EQUAL, 0);
    private final VmAccount second = scheduler.attach("second", TimeShare.EQUAL, 0);

    @Test
    void givenNoCommands_whenNextIsCalled_thenNoCommandRuns() {
        assertNull(scheduler.next(KERNELS, 0));
    }

    @Test
    void givenFifoPolicy_whenTwoVmsSubmitCommands_thenCommandsRunInArrivalOrder() {
        submit(second, 20);
        submit(first, 10);
        submit(second, 21);

        assertEquals(List.of(20L, 10L, 21L), drain(KERNELS));
    }

    @Test
    void givenFullQueue_whenCommandIsSubmitted_thenSubmissionFailsAndOtherVmIsUnaffected() {
        for (int i = 0; i < LIMIT; i++) {
            assertTrue(submit(first, i));
        }

        assertFalse(submit(first, LIMIT));
        assertTrue(submit(second, 0));
        scheduler.take(first, KERNELS, 0);
        assertTrue(submit(first, LIMIT));
    }

    @Test
    void givenTwoEngines_whenCommandIsSubmittedToOneEngine_thenOtherEngineHasNoCommand() {
        scheduler.submit(first, COPIES, 7, 0);

        assertNull(scheduler.next(KERNELS, 1));
        assertSame(first, scheduler.next(COPIES, 1));
        assertEquals(7, scheduler.first(first, COPIES));
        assertEquals(0, first.waiting(KERNELS));
        assertEquals(1, first.waiting(COPIES));
    }

    @Test
    void givenCommandsOnTwoEngines_whenTimeIsCharged_thenAccountShowsTimeByEngine() {
        submit(first, 1);
        scheduler.submit(first, COPIES, 2, 0);
        scheduler.take(first, KERNELS, 0);
        scheduler.take(first, COPIES, 0);

        scheduler.completed(first, KERNELS, 300, 1_000);
        scheduler.completed(first, COPIES, 40, 2_000);
        scheduler.charge(first, COPIES, 5, 2_000);

        assertEquals(300, first.usedNs(KERNELS));
        assertEquals(45, first.usedNs(COPIES));
        assertEquals(345, first.usedNs());
        assertEquals(2, first.completed());
        assertEquals(0, second.usedNs());
    }

    @Test
    void givenNoStartedCommand_whenCompletionIsReported_thenCallFails() {
        assertThrows(
                IllegalStateException.class, () -> scheduler.completed(first, KERNELS, 300, 1_000));
    }

    @Test
    void givenQueuedCommands_whenVmIsDetached_thenCommandsAreRemoved() {
        submit(first, 1);

        scheduler.detach(first, 0);

        assertNull(scheduler.next(KERNELS, 1));
        assertEquals(0, first.waiting());
        assertEquals(List.of(second), scheduler.accounts());
    }

    @Test
    void givenDetachedVmWithRunningCommand_whenCommandEnds_thenNextVmWithSameNumberIsUnaffected() {
        submit(first, 1);
        scheduler.take(first, KERNELS, 0);
        scheduler.detach(first, 0);
        VmAccount third = scheduler.attach("third", TimeShare.EQUAL, 0);

        scheduler.completed(first, KERNELS, 300, 1_000);

        assertEquals(0, third.usedNs());
        assertEquals(300, first.usedNs());
    }

    @Test
    void givenCommandsOfTwoVms_whenOneCommandIsWithdrawn_thenOtherCommandsKeepOrder() {
        submit(first, 10);
        submit(second, 20);
        submit(first, 11);
        submit(first, 12);

        assertTrue(scheduler.withdraw(first, KERNELS, 10, 1));
        assertFalse(scheduler.withdraw(first, KERNELS, 10, 1));

        assertEquals(2, first.waiting());
        assertEquals(List.of(20L, 11L, 12L), drain(KERNELS));
    }

    @Test
    void givenWaitingCommands_whenPolicyChanges_thenNoCommandIsLost() {
        submit(second, 20);
        submit(first, 10);
        submit(second, 21);
        scheduler.take(second, KERNELS, 0);

        scheduler.policy(new PolicyKind.Fifo(), 1);
        scheduler.completed(second, KERNELS, 300, 2);

        assertEquals(List.of(10L, 21L), drain(KERNELS));
        assertEquals(300, second.usedNs());
    }

    @Test
    void givenAccount_whenShareIsSet_thenAccountShowsShare() {
        scheduler.share(first, TimeShare.ofWeight(3).withCap(40), 1);

        assertEquals(new TimeShare(3, 40), first.share());
    }

    @Test
    void givenShareOutOfRange_whenCreated_thenErrorNamesValueAndLimit() {
        Exception weight =
                assertThrows(IllegalArgumentException.class, () -> TimeShare.ofWeight(10_001));
        Exception cap =
                assertThrows(IllegalArgumentException.class, () -> TimeShare.EQUAL.withCap(101));

        assertEquals("weight=10001, expected 1 to 10000", weight.getMessage());
        assertEquals("cap=101, expected 1 to 100", cap.getMessage());
    }

    @Test
    void givenEmptyQueue_whenFirstCommandIsTaken_thenCallFails() {
        assertThrows(IllegalStateException.class, () -> scheduler.take(first, KERNELS, 0));
    }

    @Test
    void givenQueue_whenRandomOperationsAreExecuted_thenOrderMatchesFifoModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Queue<Long> model = new ArrayDeque<>();
        for (int step = 0; step < 10_000; step++) {
            int choice = random.nextInt(5);
            if (choice < 2) {
                long token = random.nextLong();
                boolean taken = submit(first, token);
                assertEquals(model.size() < LIMIT, taken, () -> "seed=" + seed);
                if (taken) {
                    model.add(token);
                }
            } else if (choice == 2 && !model.isEmpty()) {
                Long token = List.copyOf(model).get(random.nextInt(model.size()));
                assertTrue(scheduler.withdraw(first, KERNELS, token, 0), () -> "seed=" + seed);
                model.remove(token);
            } else if (!model.isEmpty()) {
                assertSame(first, scheduler.next(KERNELS, step), () -> "seed=" + seed);
                assertEquals(
                        model.remove(), scheduler.take(first, KERNELS, 0), () -> "seed=" + seed);
            }
            assertEquals(model.size(), first.waiting(), () -> "seed=" + seed);
        }
    }

    @Test
    void givenSessionWithManyCommands_whenSiblingSubmits_thenSessionsTakeTurns() {
        scheduler.submit(first, 5, KERNELS, 1, 0);
        scheduler.submit(first, 5, KERNELS, 2, 0);
        scheduler.submit(first, GpuScheduler.MOST_SESSIONS - 1, KERNELS, 3, 0);
        scheduler.submit(first, 0, KERNELS, 4, 0);
        assertEquals(List.of(4L, 1L, 3L, 2L), drain(KERNELS));
    }

    @Test
    void givenSessionsThatTakeTurns_whenOtherVmSubmits_thenVmsKeepOrderOfArrival() {
        scheduler.submit(first, 0, KERNELS, 1, 0);
        scheduler.submit(first, 0, KERNELS, 2, 0);
        scheduler.submit(second, 0, KERNELS, 100, 0);
        scheduler.submit(first, 1, KERNELS, 3, 0);
        assertEquals(List.of(1L, 3L, 100L, 2L), drain(KERNELS));
    }

    @Test
    void givenSession_whenCommandIsWithdrawn_thenSiblingsKeepTurns() {
        scheduler.submit(first, 0, KERNELS, 1, 0);
        scheduler.submit(first, 1, KERNELS, 2, 0);
        scheduler.submit(first, 2, KERNELS, 3, 0);
        scheduler.submit(first, 0, KERNELS, 4, 0);
        assertTrue(scheduler.withdraw(first, KERNELS, 2, 0));
        assertEquals(List.of(1L, 3L, 4L), drain(KERNELS));
    }

    private boolean submit(VmAccount vm, long token) {
        return scheduler.submit(vm, KERNELS, token, 0);
    }

    private List<Long> drain(int engine) {
        List<Long> tokens = new ArrayList<>();
        for (VmAccount next = scheduler.next(engine, 3);
                next != null;
                next = scheduler.next(engine, 3)) {
            tokens.add(scheduler.take(next, engine, 3));
        }
        return tokens;
    }
}

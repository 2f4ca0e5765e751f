package io.gpuvm.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.policy.FifoPolicy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GpuSchedulerTest {
    private static final int LIMIT = 4;

    private final GpuScheduler scheduler = new GpuScheduler(new FifoPolicy(), LIMIT);
    private final VmAccount first = scheduler.attach("first");
    private final VmAccount second = scheduler.attach("second");

    @Test
    void givenNoCommands_whenAsked_thenNobodyRuns() {
        assertNull(scheduler.next(0));
    }

    @Test
    void givenCommandsOfTwo_whenFifo_thenTheyRunInTheOrderOfArrival() {
        scheduler.submit(second, 20, 0);
        scheduler.submit(first, 10, 1);
        scheduler.submit(second, 21, 2);

        assertSame(second, scheduler.next(3));
        assertEquals(20, scheduler.take(second));
        assertSame(first, scheduler.next(3));
        assertEquals(10, scheduler.take(first));
        assertSame(second, scheduler.next(3));
        assertEquals(21, scheduler.take(second));
        assertNull(scheduler.next(3));
    }

    @Test
    void givenAFullQueue_whenOneMoreComes_thenItIsTurnedAwayAndTheOtherIsNot() {
        for (int i = 0; i < LIMIT; i++) {
            assertTrue(scheduler.submit(first, i, 0));
        }

        assertFalse(scheduler.submit(first, LIMIT, 0));
        assertTrue(scheduler.submit(second, 0, 0));
        scheduler.take(first);
        assertTrue(scheduler.submit(first, LIMIT, 0));
    }

    @Test
    void givenACompletion_whenCharged_thenTheAccountShowsIt() {
        scheduler.completed(first, 300, 1_000);
        scheduler.completed(first, 40, 2_000);

        assertEquals(340, first.usedNs());
        assertEquals(2, first.completed());
        assertEquals(0, second.usedNs());
    }

    @Test
    void givenOneThatLeaves_whenDetached_thenItsCommandsAreGone() {
        scheduler.submit(first, 1, 0);

        scheduler.detach(first);

        assertNull(scheduler.next(1));
        assertEquals(1, scheduler.accounts().size());
    }

    @Test
    void givenAnEmptyQueue_whenTaken_thenThatIsOurMistake() {
        assertThrows(IllegalStateException.class, () -> scheduler.take(first));
    }

    @Test
    void givenRandomUse_whenCompared_thenAQueueIsAQueue() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Queue<Long> model = new ArrayDeque<>();
        for (int step = 0; step < 10_000; step++) {
            if (random.nextBoolean()) {
                long token = random.nextLong();
                boolean taken = scheduler.submit(first, token, step);
                assertEquals(model.size() < LIMIT, taken, () -> "seed=" + seed);
                if (taken) {
                    model.add(token);
                }
            } else if (!model.isEmpty()) {
                assertSame(first, scheduler.next(step), () -> "seed=" + seed);
                assertEquals(model.remove(), scheduler.take(first), () -> "seed=" + seed);
            }
        }
    }
}

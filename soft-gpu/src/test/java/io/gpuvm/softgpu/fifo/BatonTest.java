package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatonTest {
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(5);

    @Test
    void givenOneThread_whenBatonIsAcquiredAndReleased_thenOnlyFreeBatonCanBeAcquired() {
        Baton baton = new Baton(Baton.LIMIT_NS);
        assertTrue(baton.tryTake());
        assertFalse(baton.tryTake());
        baton.release();
        baton.acquire();
        assertFalse(baton.tryTake());
        baton.release();
        assertTrue(baton.tryTake());
    }

    @Test
    void givenSliceWithPolling_whenRegisterThreadRequestsBaton_thenBatonIsReleased()
            throws InterruptedException {
        Baton baton = new Baton(Baton.LIMIT_NS);
        AtomicInteger shared = new AtomicInteger();
        Thread engines =
                new Thread(() -> {
                    while (shared.get() < 1000) {
                        if (baton.tryTake()) {
                            while (!baton.yieldRequested() && shared.get() < 1000) {
                                Thread.onSpinWait();
                            }
                            baton.release();
                        }
                    }
                });
        engines.start();
        for (int i = 0; i < 1000; i++) {
            baton.acquire();
            shared.incrementAndGet();
            baton.release();
        }
        engines.join();
    }

    /// The clock simulates a process that is stopped for an hour while its register thread waits.
    /// The slice ends shortly after both threads continue.
    @Test
    void givenStoppedProcess_whenSliceEndsAfterwards_thenNoKillIsRequested() {
        int[] readings = {0};
        Baton[] batons = {null};
        boolean[] killed = {false};
        Baton baton =
                new Baton(
                        Baton.LIMIT_NS,
                        () -> {
                            if (++readings[0] == 10) {
                                killed[0] = batons[0].takeKillRequest();
                                batons[0].release();
                            }
                            return readings[0] < 3 ? 0 : TimeUnit.HOURS.toNanos(1);
                        });
        batons[0] = baton;
        assertTrue(baton.tryTake());

        baton.acquire();

        assertFalse(killed[0]);
        assertFalse(baton.takeKillRequest());
    }

    @Test
    void givenSliceWithoutYield_whenLimitExpires_thenKillIsRequested() throws InterruptedException {
        long limitNs = SHORT_NS;
        while (!isAskedToKill(limitNs)) {
            limitNs = longer(limitNs);
        }
    }

    /// @return false if this thread was not scheduled in time
    private static boolean isAskedToKill(long limitNs) throws InterruptedException {
        Baton baton = new Baton(limitNs);
        assertTrue(baton.tryTake());
        FutureTask<Void> registers = acquireOnAnotherThread(baton);
        boolean asked = false;
        while (!asked && !registers.isDone()) {
            Thread.onSpinWait();
            asked = baton.takeKillRequest();
        }
        boolean askedAgain = baton.takeKillRequest();
        baton.release();
        if (hasGivenUp(registers)) {
            return false;
        }
        assertTrue(asked);
        assertFalse(askedAgain);
        assertFalse(baton.tryTake());
        return true;
    }

    @Test
    void givenEndlessSlice_whenKillIsIgnored_thenAcquireFails() {
        Baton baton = new Baton(SHORT_NS);
        assertTrue(baton.tryTake());
        assertThrows(IllegalStateException.class, baton::acquire);
    }

    @Test
    void givenKillRequest_whenSliceEndsWithoutReadingRequest_thenRequestIsWithdrawn()
            throws InterruptedException {
        long limitNs = TimeUnit.MILLISECONDS.toNanos(400);
        while (!isWithdrawn(limitNs)) {
            limitNs = longer(limitNs);
        }
    }

    /// @return false if this thread was not scheduled in time
    private static boolean isWithdrawn(long limitNs) throws InterruptedException {
        Baton baton = new Baton(limitNs);
        assertTrue(baton.tryTake());
        long start = System.nanoTime();
        FutureTask<Void> registers = acquireOnAnotherThread(baton);
        while (System.nanoTime() - start < limitNs + limitNs / 2) {
            Thread.onSpinWait();
        }
        baton.release();
        if (hasGivenUp(registers)) {
            return false;
        }
        assertFalse(baton.takeKillRequest());
        return true;
    }

    private static FutureTask<Void> acquireOnAnotherThread(Baton baton) {
        FutureTask<Void> registers = new FutureTask<>(baton::acquire, null);
        Thread.ofPlatform().start(registers);
        return registers;
    }

    /// Waits for the register thread, and returns whether the thread failed because the baton was
    /// not free in time.
    private static boolean hasGivenUp(FutureTask<Void> registers) throws InterruptedException {
        try {
            registers.get();
            return false;
        } catch (ExecutionException e) {
            assertInstanceOf(IllegalStateException.class, e.getCause());
            return true;
        }
    }

    /// Doubles a limit, for machines that do not schedule every thread in time.
    private static long longer(long limitNs) {
        assertTrue(limitNs < LONGEST_NS, "register thread timed out in every run");
        return 2 * limitNs;
    }
}

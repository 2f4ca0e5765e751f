package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatonTest {
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void givenOneThread_whenItTakesAndAcquiresInTurn_thenTheBatonAlwaysLiesThere() {
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
    void givenASliceThatPollsTheRequest_whenTheRegisterThreadAsks_thenItIsLetIn()
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

    @Test
    void givenASliceThatDoesNotYield_whenTheLimitPasses_thenItsChannelIsToBeKilled()
            throws InterruptedException {
        Baton baton = new Baton(SHORT_NS);
        assertTrue(baton.tryTake());
        Thread registers = new Thread(baton::acquire);
        registers.start();
        while (!baton.takeKillRequest()) {
            Thread.onSpinWait();
        }
        assertFalse(baton.takeKillRequest());
        baton.release();
        registers.join();
        assertFalse(baton.tryTake());
    }

    @Test
    void givenASliceThatNeverEnds_whenItIsNotEvenKilled_thenTheRegisterThreadIsTold() {
        Baton baton = new Baton(SHORT_NS);
        assertTrue(baton.tryTake());
        assertThrows(IllegalStateException.class, baton::acquire);
    }

    @Test
    void givenAKillRequest_whenTheSliceEndsWithoutSeeingIt_thenItIsWithdrawn()
            throws InterruptedException {
        long limitNs = TimeUnit.MILLISECONDS.toNanos(400);
        Baton baton = new Baton(limitNs);
        assertTrue(baton.tryTake());
        long start = System.nanoTime();
        Thread registers = new Thread(baton::acquire);
        registers.start();
        while (System.nanoTime() - start < limitNs + limitNs / 2) {
            Thread.onSpinWait();
        }
        baton.release();
        registers.join();
        assertFalse(baton.takeKillRequest());
    }
}

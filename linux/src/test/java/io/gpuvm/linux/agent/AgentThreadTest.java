package io.gpuvm.linux.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentThreadTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger waits = new AtomicInteger();
    private final CountDownLatch parked = new CountDownLatch(1);
    private volatile IntSupplier work = () -> 0;
    private volatile RuntimeException onClose;
    private volatile boolean survives;
    private AgentThread thread = thread(AgentThread.NO_SPIN);

    private AgentThread thread(LongSupplier spinNs) {
        ThreadWait inner = new ThreadWait();
        WaitPoint counting =
                new WaitPoint() {
                    @Override
                    public void prepare() {
                        inner.prepare();
                    }

                    @Override
                    public void await(long nanos) {
                        waits.incrementAndGet();
                        parked.countDown();
                        inner.await(nanos);
                    }

                    @Override
                    public void signal() {
                        inner.signal();
                    }
                };
        return new AgentThread(new TestAgent(), new Parking(counting), spinNs, this::onFailure);
    }

    private void onFailure(Throwable error) {
        calls.add("failed");
        failure.set(error);
    }

    /// Agent whose behaviour the test configures.
    private final class TestAgent implements ParkingAgent {
        @Override
        public void onStart() {
            calls.add("start");
        }

        @Override
        public int doWork() {
            return work.getAsInt();
        }

        @Override
        public boolean mayPark() {
            return work.getAsInt() == 0;
        }

        @Override
        public boolean survives(Throwable error) {
            return survives;
        }

        @Override
        public void onClose() {
            calls.add("close");
            if (onClose != null) {
                throw onClose;
            }
        }

        @Override
        public String roleName() {
            return "test-agent";
        }
    }

    @AfterEach
    void end() {
        assertTrue(thread.end(LIMIT));
    }

    @Test
    void givenThread_whenStarted_thenAgentRunsOnNamedThreadUntilEnd() throws InterruptedException {
        AtomicReference<String> name = new AtomicReference<>();
        work =
                () -> {
                    name.set(Thread.currentThread().getName());
                    return 0;
                };
        thread.start();
        parked.await();
        assertTrue(thread.isAlive());
        assertEquals("test-agent", name.get());
        assertTrue(thread.end(LIMIT));
        assertTrue(thread.end(LIMIT));
        assertFalse(thread.isAlive());
        assertEquals(List.of("start", "close"), calls);
    }

    @Test
    void givenParkedThread_whenWoken_thenAgentChecksForWork() throws InterruptedException {
        AtomicInteger handed = new AtomicInteger();
        CountDownLatch seen = new CountDownLatch(1);
        work =
                () -> {
                    if (handed.getAndSet(0) == 0) {
                        return 0;
                    }
                    seen.countDown();
                    return 1;
                };
        thread.start();
        parked.await();
        handed.set(1);
        thread.wake();
        seen.await();
    }

    @Test
    void givenFailingAgent_whenRun_thenAgentIsClosedAndFailureIsReported() {
        Error error = new AssertionError("made up");
        work =
                () -> {
                    throw error;
                };
        thread.start();
        assertTrue(thread.awaitEnd(LIMIT));
        assertSame(error, failure.get());
        assertEquals(List.of("start", "close", "failed"), calls);
        thread.wake();
    }

    @Test
    void givenAgentThatSurvivesErrors_whenWorkFails_thenAgentContinues()
            throws InterruptedException {
        survives = true;
        CountDownLatch failures = new CountDownLatch(3);
        work =
                () -> {
                    if (failures.getCount() > 0) {
                        failures.countDown();
                        throw new IllegalStateException("made up");
                    }
                    return 0;
                };
        thread.start();
        failures.await();
        parked.await();
        assertTrue(thread.isAlive());
    }

    @Test
    void givenAgentThatEndsExpectedly_whenThreadEnds_thenNoFailureIsReported() {
        survives = true;
        work =
                () -> {
                    throw new AgentTerminationException(true);
                };
        thread.start();
        assertTrue(thread.awaitEnd(LIMIT));
        assertEquals(List.of("start", "close"), calls);
    }

    @Test
    void givenAgentThatEndsUnexpectedly_whenThreadEnds_thenFailureIsReported() {
        work =
                () -> {
                    throw new AgentTerminationException("made up");
                };
        thread.start();
        assertTrue(thread.awaitEnd(LIMIT));
        assertEquals("made up", failure.get().getMessage());
    }

    @Test
    void givenAgentThatFailsToClose_whenThreadEnds_thenFailureIsReported() {
        onClose = new IllegalStateException("close");
        thread.start();
        assertTrue(thread.end(LIMIT));
        assertSame(onClose, failure.get());
    }

    @Test
    void givenFailingAgent_whenCloseAlsoFails_thenFirstErrorIsReported() {
        onClose = new IllegalStateException("close");
        Error error = new AssertionError("made up");
        work =
                () -> {
                    throw error;
                };
        thread.start();
        assertTrue(thread.awaitEnd(LIMIT));
        assertSame(error, failure.get());
        assertSame(onClose, error.getSuppressed()[0]);
    }

    @Test
    void givenThreadThatWasNeverStarted_whenEnded_thenAgentIsClosedOnce() {
        assertTrue(thread.end(LIMIT));
        assertTrue(thread.end(LIMIT));
        assertFalse(thread.isAlive());
        assertThrows(IllegalStateException.class, thread::start);
        assertEquals(List.of("close"), calls);
    }

    @Test
    void givenStartedThread_whenStartedAgain_thenStartIsRefused() {
        thread.start();
        assertThrows(IllegalStateException.class, thread::start);
    }

    @Test
    void givenBusyAgent_whenEnded_thenWaitEndsAtLimit() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        work =
                () -> {
                    begun.countDown();
                    awaitUninterrupted(goOn);
                    return 1;
                };
        thread.start();
        begun.await();
        assertFalse(thread.end(SHORT));
        assertTrue(thread.isAlive());
        goOn.countDown();
        assertTrue(thread.end(LIMIT));
        assertEquals(List.of("start", "close"), calls);
    }

    @Test
    void givenInterruptedCaller_whenEndingThread_thenCallerWaitsAndStaysInterrupted()
            throws InterruptedException {
        thread.start();
        parked.await();
        Thread.currentThread().interrupt();
        assertTrue(thread.end(LIMIT));
        assertTrue(Thread.interrupted());
    }

    @Test
    void givenCallOnAgentThread_whenThreadIsEnded_thenCallDoesNotWait() {
        AtomicReference<Boolean> ended = new AtomicReference<>();
        work =
                () -> {
                    ended.set(thread.end(LIMIT));
                    return 0;
                };
        thread.start();
        assertTrue(thread.awaitEnd(LIMIT));
        assertFalse(ended.get());
        assertEquals(List.of("start", "close"), calls);
    }

    @Test
    void givenThreadThatNeverSleeps_whenIdle_thenThreadSpins() throws InterruptedException {
        thread = thread(() -> Long.MAX_VALUE);
        CountDownLatch looks = new CountDownLatch(1000);
        work =
                () -> {
                    looks.countDown();
                    return 0;
                };
        thread.start();
        looks.await();
        assertEquals(0, waits.get());
    }

    @Test
    void givenThreadThatSpinsBriefly_whenIdle_thenThreadSleeps() throws InterruptedException {
        thread = thread(() -> 1000);
        thread.start();
        parked.await();
        assertTrue(thread.isAlive());
    }

    /// Tests that the thread detects the end before the wait, or that the end interrupts the wait.
    @Test
    void givenThreadsAboutToSleep_whenEndedImmediately_thenAllThreadsEnd() {
        for (int i = 0; i < 300; i++) {
            AgentThread one = thread(AgentThread.NO_SPIN);
            one.start();
            assertTrue(one.end(LIMIT), "thread=" + i);
        }
        assertTrue(thread.end(LIMIT));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

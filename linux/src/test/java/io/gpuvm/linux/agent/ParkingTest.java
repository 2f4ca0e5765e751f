package io.gpuvm.linux.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParkingTest {
    private static final int ROUNDS = 20_000;

    private final List<String> calls = new ArrayList<>();
    private final Parking parking =
            new Parking(
                    new WaitPoint() {
                        @Override
                        public void await(long nanos) {
                            calls.add("await " + nanos);
                        }

                        @Override
                        public void signal() {
                            calls.add("signal");
                        }
                    });

    /// Item that one thread writes and another reads; only [Parking] orders the accesses.
    private int handed;

    private final class Sleeper implements Parkable {
        private final Runnable look;
        private final boolean may;

        Sleeper(Runnable look, boolean may) {
            this.look = look;
            this.may = may;
        }

        @Override
        public boolean mayPark() {
            look.run();
            return may;
        }

        @Override
        public long nanosUntilWork() {
            return 7;
        }

        @Override
        public void onAwake(boolean slept) {
            calls.add(slept ? "slept" : "not slept");
        }
    }

    @Test
    void givenAwakeThread_whenWoken_thenNoSignalIsSent() {
        parking.wake();
        parking.wakeAfterFence();
        parking.park(new Sleeper(() -> {}, true));
        parking.wake();
        assertEquals(List.of("await 7", "slept"), calls);
    }

    @Test
    void givenThreadAboutToSleep_whenWokenTwice_thenOneSignalIsSentAndThreadDoesNotWait() {
        boolean slept =
                parking.park(
                        new Sleeper(
                                () -> {
                                    parking.wake();
                                    parking.wakeAfterFence();
                                },
                                true));
        assertFalse(slept);
        assertEquals(List.of("signal", "not slept"), calls);
    }

    @Test
    void givenWork_whenThreadIsAboutToSleep_thenThreadStaysAwake() {
        assertFalse(parking.park(new Sleeper(() -> {}, false)));
        assertEquals(List.of("not slept"), calls);
    }

    @Test
    void givenFailingCheck_whenThreadIsAboutToSleep_thenThreadStaysAwake() {
        Sleeper failing =
                new Sleeper(
                        () -> {
                            throw new IllegalStateException("made up");
                        },
                        true);
        assertThrows(IllegalStateException.class, () -> parking.park(failing));
        parking.wake();
        assertEquals(List.of("not slept"), calls);
    }

    @Test
    void givenThreadWait_whenSignalledBeforeWait_thenWaitReturnsImmediately() {
        ThreadWait wait = new ThreadWait();
        wait.prepare();
        wait.signal();
        wait.await(Long.MAX_VALUE);
        wait.await(0);
        wait.await(1);
    }

    @Test
    void givenEventWait_whenSignalledBeforeWait_thenWaitReturnsImmediatelyAndSignalIsConsumed() {
        try (EventWait wait = new EventWait(1);
                EventWait other = new EventWait(1)) {
            wait.signal();
            wait.signal();
            wait.await(Long.MAX_VALUE);
            wait.set(0, other.descriptor());
            wait.await(0);
            assertFalse(wait.ready(0));
            other.signal();
            wait.await(Long.MAX_VALUE);
            assertTrue(wait.ready(0));
            assertFalse(wait.hungUp(0));
        }
    }

    @Test
    void givenThreadWait_whenSleeperParksAndWakerSignals_thenNoWakeUpIsLost()
            throws InterruptedException {
        assertNoWakeUpIsLost(new ThreadWait());
    }

    @Test
    void givenEventWait_whenSleeperParksAndWakerSignals_thenNoWakeUpIsLost()
            throws InterruptedException {
        try (EventWait wait = new EventWait(1)) {
            assertNoWakeUpIsLost(wait);
        }
    }

    /// Passes items to a sleeper. In every second round, the next item is published only after the
    /// sleeper has consumed the previous item, so that the sleeper is about to park at that moment.
    private void assertNoWakeUpIsLost(WaitPoint point) throws InterruptedException {
        Parking shared = new Parking(point);
        int[] taken = new int[1];
        AtomicReference<Integer> told = new AtomicReference<>(0);
        Thread sleeper =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            while (taken[0] < ROUNDS) {
                                shared.park(() -> {
                                    boolean nothing = handed == taken[0];
                                    taken[0] = handed;
                                    told.set(taken[0]);
                                    return nothing;
                                });
                            }
                        });
        for (int round = 1; round <= ROUNDS; round++) {
            handed = round;
            shared.wake();
            while (round % 2 == 0 && told.get() < round) {
                Thread.onSpinWait();
            }
        }
        sleeper.join();
        assertEquals(ROUNDS, taken[0]);
    }
}

package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.WaitPoint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkSignalTest {
    private final WorkSignal signal = new WorkSignal();
    private int waits;
    private int wakeUps;
    private final Parking engineThread =
            new Parking(
                    new WaitPoint() {
                        @Override
                        public void await(long nanos) {
                            waits++;
                        }

                        @Override
                        public void signal() {
                            wakeUps++;
                        }
                    });

    @BeforeEach
    void park() {
        signal.wakes(engineThread);
    }

    /// Sends a notification between the thread's last check and its sleep.
    private void parkAnd(Runnable word) {
        engineThread.park(() -> {
            boolean may = !signal.isPending();
            word.run();
            return may;
        });
    }

    @Test
    void givenAwakeEngineThread_whenKicked_thenNoWakeUpIsSentAndKickIsFound() {
        signal.kick(70);
        assertEquals(0, wakeUps);
        assertTrue(signal.isPending());
        assertEquals(0, signal.take(0));
        assertEquals(1L << 6, signal.take(1));
        assertFalse(signal.isPending());
    }

    @Test
    void givenSleepingEngineThread_whenKickedTwice_thenThreadIsWokenOnce() {
        parkAnd(() -> {
            signal.kick(0);
            signal.kick(1);
        });
        assertEquals(0, waits);
        assertEquals(1, wakeUps);
        assertEquals(3, signal.take(0));
    }

    @Test
    void givenSleepingEngineThread_whenAllChannelsAreKicked_thenThreadIsWokenOnce() {
        parkAnd(signal::kickAll);
        assertEquals(1, wakeUps);
    }

    @Test
    void givenSleepingEngineThread_whenNudged_thenThreadIsWokenAndNudgeIsPending() {
        parkAnd(signal::nudge);
        assertEquals(1, wakeUps);
        assertTrue(signal.isPending());
        signal.takeNudge();
        assertFalse(signal.isPending());
    }

    @Test
    void givenKickOfAllChannels_whenTaken_thenEachChannelIsReturnedOnce() {
        signal.kickAll();
        assertTrue(signal.isPending());
        assertEquals(-1, signal.take(0));
        assertEquals(-1, signal.take(1));
        assertFalse(signal.isPending());
    }

    @Test
    void givenSpuriouslyWokenEngineThread_whenKicked_thenNoWakeUpIsSent() {
        parkAnd(() -> {});
        signal.kick(5);
        assertEquals(1, waits);
        assertEquals(0, wakeUps);
    }
}

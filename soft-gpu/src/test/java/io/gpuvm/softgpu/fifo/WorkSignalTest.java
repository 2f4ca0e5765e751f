package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkSignalTest {
    private final WorkSignal signal = new WorkSignal();
    private int wakeUps;

    @BeforeEach
    void listen() {
        signal.onWork(() -> wakeUps++);
    }

    @Test
    void givenAnAwakeEngineThread_whenKicked_thenNobodyIsWokenAndItMustNotSleep() {
        signal.kick(70);
        assertEquals(0, wakeUps);
        assertFalse(signal.prepareToPark());
        assertEquals(0, signal.take(0));
        assertEquals(1L << 6, signal.take(1));
        assertTrue(signal.prepareToPark());
    }

    @Test
    void givenASleepingEngineThread_whenKickedTwice_thenItIsWokenOnce() {
        assertTrue(signal.prepareToPark());
        signal.kick(0);
        signal.kick(1);
        assertEquals(1, wakeUps);
        assertEquals(3, signal.take(0));
    }

    @Test
    void givenANudge_whenTheEngineThreadWantsToSleep_thenItLooksFirst() {
        assertTrue(signal.prepareToPark());
        signal.nudge();
        assertEquals(1, wakeUps);
        assertFalse(signal.prepareToPark());
        signal.takeNudge();
        assertTrue(signal.prepareToPark());
    }

    @Test
    void givenAKickForAll_whenTaken_thenEveryChannelIsThereOnce() {
        signal.kickAll();
        assertTrue(signal.isPending());
        assertEquals(-1, signal.take(0));
        assertEquals(-1, signal.take(1));
        assertFalse(signal.isPending());
    }

    @Test
    void givenAnEngineThreadThatWokeByItself_whenKicked_thenNobodyIsWoken() {
        assertTrue(signal.prepareToPark());
        signal.unpark();
        signal.kick(5);
        assertEquals(0, wakeUps);
    }
}

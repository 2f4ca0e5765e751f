package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CardClockTest {
    private static final long AHEAD_NS = 1_000_000_000;
    private static final long COLD_NS = 5_000_000;
    private static final long WARM_NS = 300;

    private long hostNs = 42;
    private int readings;

    /// Simulates the loading of classes before the card's first reading, and a preemption of the
    /// thread after a later reading.
    @Test
    void givenDelayedReadings_whenClockIsSet_thenShortestReadingIsUsed() {
        CardClock clock = CardClock.set(() -> hostNs, this::readCard);

        assertEquals(hostNs + AHEAD_NS, clock.getAsLong());
        hostNs += 12_345;
        assertEquals(hostNs + AHEAD_NS, clock.getAsLong());
    }

    private long readCard() {
        readings++;
        hostNs += readings == 1 ? COLD_NS : WARM_NS;
        long cardNs = hostNs + AHEAD_NS;
        hostNs += readings == 3 ? COLD_NS : WARM_NS;
        return cardNs;
    }
}

package io.gpuvm.linux.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.linux.EventFd;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventWaitTest {
    private static final int ROUNDS = 2_000;

    /// Tests a late signal: the kernel assigns the number of a closed eventfd to the next file that
    /// is opened.
    @Test
    void givenClosedWait_whenThreadSignalsLate_thenNoOtherFileIsWritten() {
        EventWait events = new EventWait(0);
        events.close();
        try (EventFd other = EventFd.create();
                EventFd another = EventFd.create()) {
            events.signal();
            assertEquals(0, other.drain());
            assertEquals(0, another.drain());
        }
    }

    @Test
    void givenThreadThatSignals_whenWaitIsClosed_thenNoOtherFileIsWritten() throws Exception {
        AtomicReference<EventWait> waits = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread waker = new Thread(() -> signalAll(waits));
        waker.setUncaughtExceptionHandler((_, error) -> failure.set(error));
        waker.start();
        long strayed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            EventWait events = new EventWait(0);
            waits.set(events);
            events.await(1_000_000);
            events.close();
            try (EventFd other = EventFd.create();
                    EventFd another = EventFd.create()) {
                Thread.onSpinWait();
                strayed += other.drain() + another.drain();
            }
        }
        waker.interrupt();
        waker.join();
        assertEquals(0, strayed);
        assertNull(failure.get());
    }

    private static void signalAll(AtomicReference<EventWait> waits) {
        while (!Thread.currentThread().isInterrupted()) {
            EventWait events = waits.get();
            if (events != null) {
                events.signal();
            }
        }
    }
}

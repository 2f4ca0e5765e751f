package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.linux.EventFd;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests with notifications that the test sends in place of the kernel.
@Timeout(60)
class CardWatchTest {
    private final BlockingQueue<CardLoss> told = new LinkedBlockingQueue<>();

    @Test
    void givenRepeatedNotification_whenPolled_thenListenerRunsOnce() throws InterruptedException {
        try (CardWatch watch = CardWatch.start(told::add)) {
            EventFd.signal(watch.descriptor(CardLoss.REQUESTED));
            assertEquals(CardLoss.REQUESTED, told.take());
            EventFd.signal(watch.descriptor(CardLoss.REQUESTED));
            EventFd.signal(watch.descriptor(CardLoss.BUS_ERROR));
            assertEquals(CardLoss.BUS_ERROR, told.take());
        }
        assertNull(told.poll());
    }

    @Test
    void givenNoNotification_whenClosed_thenListenerIsNotCalled() {
        CardWatch.start(told::add).close();

        assertNull(told.poll());
    }
}

package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.support.OpenDescriptors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PollerTest {
    @Test
    void givenNoReadyDescriptor_whenPolledWithZeroTimeout_thenPollReturnsZero() {
        try (Poller poller = new Poller(2);
                EventFd event = EventFd.create()) {
            poller.set(0, event.descriptor());
            assertEquals(0, poller.poll(0));
        }
    }

    @Test
    void givenReadyAndIdleDescriptor_whenPolled_thenOnlyReadySlotIsFound() {
        try (Poller poller = new Poller(3);
                EventFd quiet = EventFd.create();
                EventFd loud = EventFd.create()) {
            poller.set(0, quiet.descriptor());
            poller.set(2, loud.descriptor());
            loud.signal();
            assertEquals(1, poller.poll(Poller.FOREVER));
            assertFalse(poller.ready(0));
            assertFalse(poller.ready(1));
            assertTrue(poller.ready(2));
        }
    }

    @Test
    void givenSignalFromAnotherThread_whenPolled_thenPollReturns() throws InterruptedException {
        try (Poller poller = new Poller(1);
                EventFd event = EventFd.create()) {
            poller.set(0, event.descriptor());
            Thread signaller = Thread.ofPlatform().start(event::signal);
            assertEquals(1, poller.poll(TimeUnit.SECONDS.toNanos(10)));
            signaller.join();
        }
    }

    @Test
    void givenTimeoutBelowMillisecond_whenNoDescriptorBecomesReady_thenTimeoutElapsesInFull() {
        long waitNs = TimeUnit.MICROSECONDS.toNanos(200);
        try (Poller poller = new Poller(1);
                EventFd event = EventFd.create()) {
            poller.set(0, event.descriptor());
            long startNs = System.nanoTime();
            assertEquals(0, poller.poll(waitNs));
            assertTrue(System.nanoTime() - startNs >= waitNs);
        }
    }

    @Test
    void givenTimeoutBelowMillisecond_whenDescriptorIsReady_thenReadySlotIsFound() {
        try (Poller poller = new Poller(2);
                EventFd event = EventFd.create()) {
            poller.set(1, event.descriptor());
            event.signal();
            assertEquals(1, poller.poll(TimeUnit.MICROSECONDS.toNanos(900)));
            assertTrue(poller.ready(1));
        }
    }

    @Test
    void givenClearedSlot_whenPolled_thenSlotIsIgnored() {
        try (Poller poller = new Poller(1);
                EventFd event = EventFd.create()) {
            event.signal();
            poller.set(0, event.descriptor());
            poller.set(0, Poller.NONE);
            assertEquals(0, poller.poll(0));
        }
    }

    @Test
    void givenSocketWithSpace_whenPolledForWriting_thenSocketIsReady() {
        try (Poller poller = new Poller(1);
                FdSocket.Pair pair = FdSocket.pair()) {
            poller.set(0, pair.left().descriptor());
            assertEquals(0, poller.poll(0));
            poller.setWritable(0, pair.left().descriptor());
            assertEquals(1, poller.poll(0));
            poller.set(0, pair.left().descriptor());
            assertEquals(0, poller.poll(0));
        }
    }

    @Test
    void givenDuplicateOfEventFd_whenRemovedAndClosed_thenDescriptorIsNotPolled() {
        try (Poller poller = new Poller(2);
                EventFd theirs = EventFd.create()) {
            EventFd ours = EventFd.adopt(Descriptor.duplicate(theirs.descriptor()));
            poller.set(1, ours.descriptor());
            theirs.signal();
            assertEquals(1, poller.poll(0));
            poller.set(1, Poller.NONE);
            ours.close();
            assertEquals(0, poller.poll(0));
        }
    }

    @Test
    void givenClosedPoller_whenDescriptorsAreCounted_thenNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        Poller poller = new Poller(1);
        poller.close();
        poller.close();
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenClosedPeer_whenPolled_thenPollReportsHangUp() {
        try (Poller poller = new Poller(2);
                FdSocket.Pair pair = FdSocket.pair()) {
            poller.set(1, pair.left().descriptor());
            assertEquals(0, poller.poll(0));
            assertFalse(poller.hungUp(1));
            pair.right().close();
            assertEquals(1, poller.poll(0));
            assertTrue(poller.ready(1));
            assertTrue(poller.hungUp(1));
        }
    }

    @Test
    void givenSlotsBeyondFirstWord_whenSlotIsSignalled_thenOnlySignalledSlotIsReady() {
        int slots = 200;
        try (Poller poller = new Poller(slots);
                EventFd event = EventFd.create();
                EventFd silent = EventFd.create()) {
            poller.set(slots - 1, event.descriptor());
            poller.set((slots - 1) % Long.SIZE, silent.descriptor());
            event.signal();
            assertEquals(1, poller.poll(0));
            assertTrue(poller.ready(slots - 1));
            assertFalse(poller.ready((slots - 1) % Long.SIZE));
            event.drain();
            assertEquals(0, poller.poll(0));
            assertFalse(poller.ready(slots - 1));
        }
    }

    @Test
    void givenSlotOutOfRange_whenSet_thenSlotIsRefused() {
        try (Poller poller = new Poller(1)) {
            assertThrows(IndexOutOfBoundsException.class, () -> poller.set(1, 0));
        }
    }
}

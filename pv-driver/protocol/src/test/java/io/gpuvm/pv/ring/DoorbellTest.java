package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.WireType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests that a doorbell signals a side that sleeps, and does not signal a side that is awake.
class DoorbellTest {
    private final TestArea area = new TestArea();
    private final Sleeper host = area.host.hostSleeper();
    private int signals;
    private final Doorbell doorbell = area.guest.hostDoorbell(() -> signals++);

    @Test
    void givenAwakeHost_whenGuestRings_thenHostIsNotSignalled() {
        assertFalse(doorbell.ring());
        host.announce();
        host.withdraw();
        assertFalse(doorbell.ring());
        assertEquals(0, signals);
    }

    @Test
    void givenSleepingHost_whenGuestRingsTwice_thenHostIsSignalledOnce() {
        host.announce();
        assertTrue(doorbell.ring());
        assertFalse(doorbell.ring());
        assertEquals(1, signals);
    }

    @Test
    void givenHostAsleepAgain_whenGuestRings_thenHostIsSignalledAgain() {
        host.announce();
        doorbell.ring();
        host.withdraw();
        host.announce();
        assertTrue(doorbell.ring());
        assertEquals(2, signals);
    }

    @Test
    void givenSleepingHost_whenHostRingsForGuest_thenHostWordIsNotRead() {
        host.announce();
        assertFalse(area.host.guestDoorbell(() -> signals++).ring());
        area.guest.guestSleeper().announce();
        assertTrue(area.host.guestDoorbell(() -> signals++).ring());
        assertEquals(1, signals);
    }

    @Test
    void givenInvalidValueInGuestWord_whenHostRingsTwice_thenGuestIsSignalledOnce() {
        Doorbell guests = area.host.guestDoorbell(() -> signals++);
        for (int value : new int[] {-1, 2, Integer.MIN_VALUE}) {
            signals = 0;
            area.memory.set(WireType.U32, AreaLayout.GUEST_SLEEPS, value);
            guests.ring();
            guests.ring();
            assertEquals(1, signals);
        }
    }

    /// Lets both sides sleep whenever their rings are empty. A lost wake-up makes the test time
    /// out.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenTwoSleepingSides_whenEntriesAreExchanged_thenNoEntryIsMissed()
            throws InterruptedException {
        int trips = 20_000;
        try (EventFd wakeHost = EventFd.create();
                EventFd wakeGuest = EventFd.create()) {
            Thread echo = new Thread(() -> echo(trips, wakeHost, wakeGuest), "host");
            echo.start();
            RingProducer commands = area.guest.submissionProducer();
            RingConsumer completions = area.guest.completionConsumer();
            Doorbell bell = area.guest.hostDoorbell(wakeHost::signal);
            try (Poller poller = new Poller(1)) {
                poller.set(0, wakeGuest.descriptor());
                for (int n = 0; n < trips; n++) {
                    commands.claim();
                    commands.publish(n);
                    bell.ring();
                    await(completions, area.guest.guestSleeper(), wakeGuest, poller);
                    completions.release();
                    assertEquals(n, completions.entry().get(WireType.U32, 4));
                }
            }
            echo.join();
        }
    }

    private void echo(int trips, EventFd wakeHost, EventFd wakeGuest) {
        RingConsumer commands = area.host.submissionConsumer();
        RingProducer completions = area.host.completionProducer();
        Doorbell bell = area.host.guestDoorbell(wakeGuest::signal);
        try (Poller poller = new Poller(1)) {
            poller.set(0, wakeHost.descriptor());
            for (int n = 0; n < trips; n++) {
                await(commands, host, wakeHost, poller);
                commands.release();
                completions.claim();
                completions.publish(commands.entry().get(WireType.U32, 4));
                bell.ring();
            }
        }
    }

    private static void await(RingConsumer entries, Sleeper sleeper, EventFd wake, Poller poller) {
        while (!entries.poll()) {
            sleeper.announce();
            if (entries.isEmpty()) {
                poller.poll(Poller.FOREVER);
                wake.drain();
            }
            sleeper.withdraw();
        }
    }
}

package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.SubmitCommand;
import org.junit.jupiter.api.Test;

/// Tests of a ring whose two sides follow the protocol.
class RingTest {
    private static final int ENTRIES = TestArea.ENTRIES;

    private final TestArea area = new TestArea();
    private final RingProducer guest = area.guest.submissionProducer();
    private final RingConsumer host = area.host.submissionConsumer();
    private final SubmitCommand written = new SubmitCommand();
    private final SubmitCommand read = new SubmitCommand().wrap(host.entry(), 0);

    @Test
    void givenEmptyRing_whenPolled_thenPollReturnsNoEntry() {
        assertTrue(host.isEmpty());
        assertFalse(host.poll());
    }

    @Test
    void givenUnpublishedClaim_whenPolled_thenPollReturnsNoEntry() {
        written.wrap(guest.memory(), guest.claim()).correlation(1).channel(2).put(3);
        assertTrue(host.isEmpty());
        assertFalse(host.poll());
    }

    @Test
    void givenEntry_whenPolled_thenEntryIsComplete() {
        assertTrue(submit(4));
        assertFalse(host.isEmpty());
        assertTrue(host.poll());
        assertEquals(CommandOpcode.SUBMIT.code(), read.opcode());
        assertTrue(read.isQuiet());
        assertEquals(4, read.correlation());
        assertEquals(5, read.channel());
        assertEquals(6, read.put());
        assertTrue(host.isEmpty());
        assertFalse(host.poll());
    }

    @Test
    void givenManyLaps_whenPolled_thenEntriesArriveOnceInOrder() {
        long next = 0;
        for (long n = 0; n < 10 * ENTRIES; n++) {
            assertTrue(submit(n));
            if (n % 3 == 2) {
                while (host.poll()) {
                    assertEquals(next++, read.correlation());
                }
                host.release();
            }
        }
        assertEquals(10 * ENTRIES - 1, next);
        assertEquals(10 * ENTRIES, guest.position());
        assertEquals(next, host.position());
    }

    @Test
    void givenFullRing_whenSlotIsClaimed_thenClaimFailsUntilSlotsAreReleased() {
        for (int n = 0; n < ENTRIES; n++) {
            assertEquals(ENTRIES - n, guest.room());
            assertTrue(submit(n));
        }
        assertEquals(RingProducer.FULL, guest.claim());
        assertTrue(host.poll());
        assertEquals(RingProducer.FULL, guest.claim());
        host.release();
        assertEquals(1, guest.room());
        assertTrue(submit(ENTRIES));
        assertEquals(RingProducer.FULL, guest.claim());
    }

    @Test
    void givenPolledEntry_whenSlotIsRewritten_thenCopyIsUnchanged() {
        long at = guest.claim();
        assertTrue(submit(1));
        assertTrue(host.poll());
        written.wrap(guest.memory(), at).correlation(99).channel(99);
        assertEquals(1, read.correlation());
        assertEquals(2, read.channel());
    }

    @Test
    void givenPositionsAroundWrapAround_whenStamped_thenSuccessiveStampsOfSlotDiffer() {
        long end = 1L << Integer.SIZE;
        assertEquals(0, RingLayout.stamp(end - 1));
        assertEquals(1, RingLayout.stamp(end));
        for (long position = end - 2 * ENTRIES; position < end + ENTRIES; position++) {
            assertNotEquals(RingLayout.stamp(position), RingLayout.stamp(position + ENTRIES));
            assertEquals(
                    RingLayout.stamp(position), RingLayout.stampOf(RingLayout.word(position, -1)));
        }
    }

    private boolean submit(long n) {
        long at = guest.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        written.wrap(guest.memory(), at).correlation(n).channel((int) n + 1).put((int) n + 2);
        guest.publish(CommandEntry.tag(CommandOpcode.SUBMIT, CommandEntry.QUIET));
        return true;
    }
}

package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of a host whose guest writes arbitrary values at arbitrary times.
class HostileRingTest {
    private static final int ENTRIES = TestArea.ENTRIES;
    private static final int STEPS = 5_000;

    /// End of the memory that the test compares, beyond the completion ring.
    private static final long COMPARED_END =
            TestArea.LAYOUT.completionRing() + 2L * ENTRIES * RingEntry.BYTES;

    private final TestArea area = new TestArea();
    private final RingConsumer commands = area.host.submissionConsumer();
    private final RingProducer completions = area.host.completionProducer();
    private final CommandEntry command = new CommandEntry().wrap(commands.entry(), 0);
    private final CompletionEntry completion = new CompletionEntry();

    @ParameterizedTest
    @ValueSource(longs = {-1, -ENTRIES, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, ENTRIES + 1})
    void givenInvalidHead_whenHostAnswers_thenRoomIsUnchanged(long lie) {
        lie(lie);
        assertEquals(ENTRIES, completions.room());
        for (int n = 0; n < ENTRIES; n++) {
            assertTrue(answer(n));
        }
        assertFalse(answer(ENTRIES));
    }

    @Test
    void givenDecreasingHead_whenHostReadsHead_thenRoomIsUnchanged() {
        for (int n = 0; n < ENTRIES; n++) {
            assertTrue(answer(n));
        }
        lie(ENTRIES - 1);
        assertEquals(ENTRIES - 1, completions.room());
        lie(0);
        assertEquals(ENTRIES - 1, completions.room());
    }

    @Test
    void givenHeadBeyondConsumedEntries_whenHostAnswers_thenGuestMissesAnswers() {
        for (int n = 0; n < ENTRIES; n++) {
            assertTrue(answer(n));
        }
        lie(ENTRIES);
        for (int n = 0; n < ENTRIES; n++) {
            assertTrue(answer(n));
        }
        assertFalse(area.guest.completionConsumer().poll());
        assertEquals(2 * ENTRIES, completions.position());
    }

    @Test
    void givenSubmissionHeadRewrittenByGuest_whenHostPolls_thenPrivatePositionIsUsed() {
        RingProducer guest = area.guest.submissionProducer();
        guest.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
        guest.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
        assertTrue(commands.poll());
        area.memory.set(WireType.U64, AreaLayout.SUBMISSION_HEAD, -1);
        assertTrue(commands.poll());
        assertFalse(commands.poll());
        commands.release();
        assertEquals(2, area.memory.get(WireType.U64, AreaLayout.SUBMISSION_HEAD));
    }

    @Test
    void givenStampOfLaterEntry_whenHostPolls_thenPollReturnsNoEntry() {
        area.memory.set(WireType.U64, TestArea.LAYOUT.submissionRing(), RingLayout.word(1, 1));
        assertFalse(commands.poll());
        area.memory.set(
                WireType.U64,
                TestArea.LAYOUT.submissionRing() + RingEntry.BYTES,
                RingLayout.word(1, 1));
        assertFalse(commands.poll());
    }

    @Test
    void givenFullLapOfStamps_whenHostPolls_thenHostConsumesOneLap() {
        for (int n = 0; n < ENTRIES; n++) {
            long at = TestArea.LAYOUT.submissionRing() + (long) n * RingEntry.BYTES;
            area.memory.set(WireType.U64, at, RingLayout.word(n, n));
        }
        for (int n = 0; n < ENTRIES; n++) {
            assertTrue(commands.poll());
            assertEquals(n, command.opcode());
        }
        assertFalse(commands.poll());
    }

    /// Writes garbage into the area, as the guest, before each step of the host. The host writes
    /// only to its own parts, and consumes at most one entry per step.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void givenGarbageInArea_whenHostUsesRings_thenOnlyHostPartsAreWritten(long seed) {
        Random random = new Random(seed);
        Doorbell doorbell = area.host.guestDoorbell(() -> {});
        Sleeper sleeper = area.host.hostSleeper();
        MemorySegment expected = Arena.ofAuto().allocate(COMPARED_END);
        int taken = 0;
        for (int step = 0; step < STEPS; step++) {
            scribble(random, taken);
            MemorySegment.copy(area.memory, 0, expected, 0, expected.byteSize());
            long before = commands.position();
            switch (random.nextInt(5)) {
                case 0 -> taken += commands.poll() ? 1 : 0;
                case 1 -> answer(step);
                case 2 -> commands.release();
                case 3 -> doorbell.ring();
                default -> {
                    sleeper.announce();
                    commands.isEmpty();
                    sleeper.withdraw();
                }
            }
            assertTrue(commands.position() - before <= 1, "seed=" + seed);
            assertOnlyHostPartsDiffer(expected, "seed=" + seed + " step=" + step);
        }
        assertTrue(taken > 0, "seed=" + seed);
    }

    private void scribble(Random random, long next) {
        long ring = TestArea.LAYOUT.submissionRing();
        long at =
                switch (random.nextInt(4)) {
                    case 0 -> AreaLayout.WORDS;
                    case 1 -> AreaLayout.COMPLETION_HEAD;
                    case 2 -> ring;
                    default -> 0;
                };
        long room = Math.min(COMPARED_END - at, 1 << 13);
        for (int i = random.nextInt(8); i > 0; i--) {
            long offset = random.nextLong(room / Long.BYTES) * Long.BYTES;
            area.memory.set(WireType.U64, at + offset, random.nextLong());
        }
        area.memory.set(
                WireType.U64,
                AreaLayout.COMPLETION_HEAD,
                completions.position() - random.nextInt(-2, ENTRIES + 2));
        if (random.nextBoolean()) {
            long slot = RingLayout.slot(ring, next, ENTRIES - 1);
            area.memory.set(WireType.U64, slot, RingLayout.word(next, random.nextInt()));
        }
    }

    private void assertOnlyHostPartsDiffer(MemorySegment expected, String seed) {
        AreaLayout layout = TestArea.LAYOUT;
        assertSame(expected, 0, AreaHeader.BYTES, seed);
        assertSame(expected, AreaLayout.NEWS, AreaLayout.SUBMISSION_HEAD, seed);
        assertSame(
                expected, AreaLayout.SUBMISSION_HEAD + Long.BYTES, layout.completionRing(), seed);
        long end = layout.completionRing() + (long) ENTRIES * RingEntry.BYTES;
        assertSame(expected, end, COMPARED_END, seed);
    }

    private void assertSame(MemorySegment expected, long from, long to, String seed) {
        assertEquals(-1, MemorySegment.mismatch(expected, from, to, area.memory, from, to), seed);
    }

    private boolean answer(long n) {
        long at = completions.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        completion.wrap(completions.memory(), at).set(n, 0, 0);
        completions.publish(CompletionEntry.tag(CommandStatus.OK));
        return true;
    }

    private void lie(long head) {
        area.memory.set(WireType.U64, AreaLayout.COMPLETION_HEAD, head);
    }
}

package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.MapOptions;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of channels from creation to destruction, and of their work on the GPU.
class ChannelCommandsTest {
    private static final long PAGE = 4096;
    private static final long DONE = 0x1000;
    private static final long OTHER_VA = 1L << 30;
    private static final long END = TableGeometry.VA_MASK + 1;

    private final PvBench bench = new PvBench();
    private final TestPvGuest guest = bench.guest("a");
    private final int space = guest.openSpace();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenChannel_whenWorkIsSubmitted_thenGpuExecutesWork() {
        int channel = guest.openChannel(space);
        assertEquals(ChannelSlot.OPEN, guest.slot(channel).state());
        guest.release(channel, TestPvGuest.DATA_VA + DONE, 42);
        bench.runUntil("the word", () -> guest.word(DONE) == 42);
        bench.runUntil("the entry", () -> guest.slot(channel).get() == 1);
    }

    @Test
    void givenWaitForFence_whenGpuWritesFence_thenWaitEnds() {
        int channel = guest.openChannel(space);
        long wait = guest.waitForFence(DONE, 5, -1);
        guest.data.set(ValueLayout.JAVA_INT, DONE, 0);
        guest.ok(guest.nop());
        long at = TestPvGuest.DATA_VA + DONE;
        guest.withFlags(CommandEntry.QUIET);
        guest.runQuietly(channel, TestPvGuest.releaseWords(at, 5));
        assertEquals(5, guest.ok(wait));
    }

    @Test
    void givenRange_whenFencesAreDeclared_thenOnlyWordsOfDataAreaAreAccepted() {
        long bytes = guest.data.byteSize();
        guest.ok(guest.declareFences(DONE, 1));
        guest.ok(guest.declareFences(0, (int) (bytes / Integer.BYTES)));
        guest.expect(CommandStatus.MISALIGNED, guest.declareFences(DONE + 2, 1));
        guest.expect(CommandStatus.BAD_RANGE, guest.declareFences(DONE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.declareFences(-4, 1));
        guest.expect(CommandStatus.BAD_RANGE, guest.declareFences(bytes - 4, 2));
        guest.expect(CommandStatus.BAD_RANGE, guest.declareFences(0, -1));
    }

    @Test
    void givenInvalidOperands_whenChannelIsCreated_thenCreationIsRefused() {
        long ring = TestPvGuest.DATA_VA;
        guest.expect(CommandStatus.BAD_HANDLE, guest.createChannel(0x777, ring, 6));
        guest.expect(CommandStatus.MISALIGNED, guest.createChannel(space, ring + 4, 6));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, END - 8, 6));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, -8, 6));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, ring, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, ring, 17));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, ring, -1));
        guest.expect(CommandStatus.BAD_RANGE, guest.createChannel(space, ring, 65));
    }

    @Test
    void givenMaximumOfChannels_whenAnotherChannelIsCreated_thenCreationIsRefused() {
        int last = 0;
        for (int i = 0; i < PvBench.QUOTAS.channels(); i++) {
            last = guest.openChannel(space);
            assertEquals(i, last);
        }
        guest.expect(
                CommandStatus.QUOTA_CHANNELS, guest.createChannel(space, TestPvGuest.DATA_VA, 6));
        guest.ok(guest.onHandle(CommandOpcode.CHANNEL_DESTROY, last));
        assertEquals(ChannelSlot.CLOSED, guest.slot(last).state());
        assertEquals(last, guest.openChannel(space));
    }

    @Test
    void givenUnknownChannel_whenUsed_thenCommandIsRefused() {
        guest.expect(CommandStatus.BAD_HANDLE, guest.submit(0, 1));
        guest.expect(CommandStatus.BAD_HANDLE, guest.submit(-1, 1));
        guest.expect(CommandStatus.BAD_HANDLE, guest.submit(PvBench.QUOTAS.channels(), 1));
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.CHANNEL_DESTROY, 0));
        int channel = guest.openChannel(space);
        guest.expect(CommandStatus.BAD_RANGE, guest.submit(channel, 1 << TestPvGuest.RING_ORDER));
        guest.expect(CommandStatus.BAD_RANGE, guest.submit(channel, -1));
    }

    @Test
    void givenSpaceInUseByChannel_whenDestroyed_thenDestructionIsRefused() {
        int channel = guest.openChannel(space);
        guest.expect(CommandStatus.BUSY, guest.onHandle(CommandOpcode.SPACE_DESTROY, space));
        guest.ok(guest.onHandle(CommandOpcode.CHANNEL_DESTROY, channel));
        guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, space));
    }

    @Test
    void givenUnmappedAddress_whenGpuWrites_thenChannelIsDeadWithReason() {
        int channel = guest.openChannel(space);
        int news = guest.area.news();
        guest.release(channel, OTHER_VA, 1);
        bench.runUntil("the fault", () -> guest.slot(channel).state() == ChannelSlot.DEAD);
        assertEquals(ChannelFailure.Kind.MEMORY_FAULT, guest.slot(channel).failure().what());
        assertTrue(
                guest.slot(channel).failure().message().contains("write to address=0x40000000"),
                guest.slot(channel).failure()::message);
        assertNotEquals(news, guest.area.news());
        guest.expect(CommandStatus.CHANNEL_DEAD, guest.submit(channel, 2));

        guest.ok(guest.onHandle(CommandOpcode.CHANNEL_DESTROY, channel));
        int next = guest.openChannel(space);
        assertEquals(channel, next);
        assertEquals(ChannelSlot.OPEN, guest.slot(next).state());
        guest.release(next, TestPvGuest.DATA_VA + DONE, 3);
        bench.runUntil("the word", () -> guest.word(DONE) == 3);
    }

    @Test
    void givenWordsOtherThanMethods_whenSubmitted_thenChannelIsDead() {
        int channel = guest.openChannel(space);
        guest.run(channel, MethodHeader.of(MethodHeader.RESERVED, 0, 0, 1), 0);
        bench.runUntil("the error", () -> guest.slot(channel).state() == ChannelSlot.DEAD);
        assertEquals(ChannelFailure.Kind.METHOD, guest.slot(channel).failure().what());
    }

    @Test
    void givenReadOnlyPages_whenGpuWrites_thenChannelFaults() {
        guest.ok(guest.map(space, OTHER_VA, Handle.DATA_AREA, 0, PAGE, MapOptions.READ_ONLY));
        int channel = guest.openChannel(space);
        guest.release(channel, OTHER_VA, 1);
        bench.runUntil("the fault", () -> guest.slot(channel).state() == ChannelSlot.DEAD);
        assertTrue(guest.slot(channel).failure().message().contains("READ_ONLY"));
    }

    @Test
    void givenMappingUsedByGpu_whenUnmapped_thenGpuFlushesMapping() {
        guest.ok(guest.map(space, OTHER_VA, Handle.DATA_AREA, 0, PAGE, 0));
        int channel = guest.openChannel(space);
        guest.release(channel, OTHER_VA, 1);
        bench.runUntil("the word", () -> guest.word(0) == 1);
        guest.ok(guest.unmap(space, OTHER_VA, PAGE));
        guest.release(channel, OTHER_VA, 2);
        bench.runUntil("the fault", () -> guest.slot(channel).state() == ChannelSlot.DEAD);
        assertEquals(1, guest.word(0));
    }

    @Test
    void givenOwnerThatDoesNotFlush_whenPageIsUnmapped_thenCommandIsUnansweredUntilFlush() {
        guest.openChannel(space);
        guest.ok(guest.map(space, OTHER_VA, Handle.DATA_AREA, 0, PAGE, 0));
        bench.ownerWorks = false;
        long unmap = guest.unmap(space, OTHER_VA, PAGE);
        long nop = guest.nop();
        guest.ok(nop);
        bench.turn();
        assertFalse(guest.completions.poll());
        bench.ownerWorks = true;
        guest.ok(unmap);
    }

    @Test
    void givenUnansweredFlushes_whenSpacesAreCreatedAndDestroyed_thenNumberOfSpacesIsLimited() {
        guest.openChannel(space);
        guest.ok(guest.map(space, OTHER_VA, Handle.DATA_AREA, 0, PAGE, 0));
        bench.ownerWorks = false;
        long unmap = guest.unmap(space, OTHER_VA, PAGE);
        for (int i = 0; i < 64; i++) {
            guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, guest.ok(guest.createSpace())));
        }
        guest.expect(CommandStatus.NO_MEMORY, guest.createSpace());

        bench.ownerWorks = true;
        guest.ok(unmap);
        guest.ok(guest.createSpace());
    }

    @Test
    void givenBatchWithPageTableChanges_whenExecuted_thenOwnerFlushesOnce() {
        guest.openChannel(space);
        long before = guest.place.counters().get(PvCounter.FLUSHES);
        long last = 0;
        for (int i = 0; i < 50; i++) {
            last = guest.map(space, OTHER_VA + i * PAGE, Handle.DATA_AREA, 0, PAGE, 0);
        }
        while (guest.next().correlation() != last) {
            assertEquals(CommandStatus.OK, guest.answer.status());
        }
        assertEquals(1, guest.place.counters().get(PvCounter.FLUSHES) - before);
    }

    @Test
    void givenMapAndSubmissionInOneBatch_whenExecuted_thenGpuUsesMapping() {
        int channel = guest.openChannel(space);
        guest.release(channel, TestPvGuest.DATA_VA + DONE, 1);
        bench.runUntil("the word", () -> guest.word(DONE) == 1);
        guest.withFlags(CommandEntry.QUIET);
        guest.map(space, OTHER_VA, Handle.DATA_AREA, 0, PAGE, 0);
        guest.runQuietly(channel, TestPvGuest.releaseWords(OTHER_VA, 9));
        bench.runUntil("the word", () -> guest.word(0) == 9);
    }

    @Test
    void givenNonStallInterrupt_whenRaised_thenNewsIsCounted() {
        int channel = guest.openChannel(space);
        int news = guest.area.news();
        guest.run(channel, MethodHeader.increasing(0, ChannelClass.NON_STALL_INTERRUPT, 1), 0);
        bench.runUntil("news", () -> guest.area.news() != news);
    }

    @Test
    void givenSleepingGuest_whenNewsIsCounted_thenGuestIsWoken() {
        int channel = guest.openChannel(space);
        guest.wakeGuest.drain();
        guest.area.guestSleeper().announce();
        guest.run(channel, MethodHeader.increasing(0, ChannelClass.NON_STALL_INTERRUPT, 1), 0);
        bench.runUntil("a signal", () -> guest.wakeGuest.drain() > 0);
    }

    @Test
    void givenTwoGuests_whenBothGuestsSubmitWork_thenMemoryIsSeparate() {
        TestPvGuest other = bench.guest("b");
        int otherSpace = other.openSpace();
        int otherChannel = other.openChannel(otherSpace);
        int channel = guest.openChannel(space);
        guest.release(channel, TestPvGuest.DATA_VA + DONE, 1);
        other.release(otherChannel, TestPvGuest.DATA_VA + DONE, 2);
        bench.runUntil("both words", () -> guest.word(DONE) == 1 && other.word(DONE) == 2);
    }
}

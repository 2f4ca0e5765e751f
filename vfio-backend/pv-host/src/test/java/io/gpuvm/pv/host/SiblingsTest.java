package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.Statistic;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of several sessions of one virtual machine: their common quotas, their turns, and the end
/// of one of them.
class SiblingsTest {
    private static final int SESSIONS = 4;
    private static final int CHANNELS = 8;
    private static final long MIB = 1 << 20;
    private static final long PAGE = 4096;
    private static final long VA = 1L << 24;
    private static final long DONE = 0x1000;

    /// Number of commands in one turn of a virtual machine.
    private static final int TURN = 128;

    /// Number of steps of the GPU in which it reaches the first entry of a ring.
    private static final int GPU_STEPS = 10;

    /// Maximum number of address spaces that a round of the poller reclaims for one place.
    private static final int SPACES_PER_ROUND = 2;

    /// Number of address spaces that each session destroys.
    private static final int DESTROYED = 3;

    private static final PvQuotas QUOTAS =
            new PvQuotas(SESSIONS, 4 * MIB, 16, 4, CHANNELS, 2000, 64, 8, 0);

    private final PvBench bench = new PvBench();
    private final PvPlace place = bench.place("a", QUOTAS);
    private final TestPvGuest first = bench.serve(place);
    private final TestPvGuest second = bench.serve(place);

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenVramOfSession_whenSiblingAllocates_thenQuotaIsCommon() {
        int most = first.ok(first.allocateVram(PvBench.VRAM - MIB));
        second.expect(CommandStatus.QUOTA_VRAM, second.allocateVram(2 * MIB));
        int own = second.ok(second.allocateVram(MIB));
        assertEquals(MIB, statistic(second, Statistic.VRAM_BYTES));
        first.ok(first.onHandle(CommandOpcode.VRAM_FREE, most));
        second.ok(second.onHandle(CommandOpcode.VRAM_FREE, own));
        second.ok(second.allocateVram(PvBench.VRAM));
    }

    @Test
    void givenHandlesAndSpacesOfSession_whenSiblingCreates_thenQuotasAreCommon() {
        for (int i = 0; i < QUOTAS.handles(); i++) {
            first.ok(first.allocateVram(1));
        }
        second.expect(CommandStatus.QUOTA_HANDLES, second.allocateVram(1));
        for (int i = 0; i < QUOTAS.spaces(); i++) {
            second.ok(second.createSpace());
        }
        first.expect(CommandStatus.QUOTA_SPACES, first.createSpace());
        bench.leave(first);
        second.ok(second.allocateVram(1));
    }

    @Test
    void givenHandleOfSession_whenSiblingUsesHandle_thenHandleIsRefused() {
        int piece = first.ok(first.allocateVram(1));
        second.expect(CommandStatus.BAD_HANDLE, second.onHandle(CommandOpcode.VRAM_FREE, piece));
        first.ok(first.onHandle(CommandOpcode.VRAM_FREE, piece));
    }

    @Test
    void givenPagesAndWaitsOfSession_whenSiblingMapsAndWaits_thenQuotasAreCommon() {
        int space = first.ok(first.createSpace());
        int other = second.ok(second.createSpace());
        long pages = QUOTAS.mappedPages();
        for (long page = 0; page < pages; page += TURN) {
            long count = Math.min(TURN, pages - page);
            first.ok(first.map(space, VA + page * PAGE, Handle.DATA_AREA, 0, count * PAGE, 1));
        }
        second.expect(
                CommandStatus.QUOTA_PAGES, second.map(other, VA, Handle.DATA_AREA, 0, PAGE, 0));
        for (int i = 0; i < QUOTAS.waits(); i++) {
            first.waitForFence(DONE, 1, -1);
        }
        bench.turn();
        second.expect(CommandStatus.QUOTA_WAITS, second.waitForFence(DONE, 1, -1));

        bench.leave(first);

        second.ok(second.map(other, VA, Handle.DATA_AREA, 0, PAGE, 0));
        second.waitForFence(DONE, 1, 0);
        assertEquals(CommandStatus.TIMED_OUT, second.next().status());
    }

    @Test
    void givenChannelsOfSession_whenSiblingsOpenChannels_thenEachGetsPart() {
        TestPvGuest third = bench.serve(place);
        TestPvGuest fourth = bench.serve(place);
        int most = place.gpuOfOne().channels();
        assertEquals(CHANNELS - (SESSIONS - 1), most);
        int space = first.openSpace();
        for (int i = 0; i < most; i++) {
            assertEquals(i, first.openChannel(space));
        }
        refuseChannel(first, space);
        for (TestPvGuest sibling : List.of(second, third, fourth)) {
            int own = sibling.openSpace();
            assertEquals(0, sibling.openChannel(own));
            refuseChannel(sibling, own);
        }
        first.ok(first.onHandle(CommandOpcode.CHANNEL_DESTROY, 2));
        assertEquals(2, first.openChannel(space));
    }

    @Test
    void givenTwoFloodingSessions_whenPolled_thenEachHasEverySecondTurn() {
        for (int i = 0; i < 2 * TURN; i++) {
            first.nop();
            second.nop();
        }
        int[] answered = new int[2];
        for (int turn = 1; turn <= 4; turn++) {
            bench.turn();
            answered[0] += answers(first);
            answered[1] += answers(second);
            assertEquals(turn * TURN, answered[0] + answered[1]);
            assertTrue(Math.abs(answered[0] - answered[1]) <= TURN);
        }
        assertEquals(answered[0], answered[1]);
    }

    @Test
    void givenFloodingSession_whenSiblingSendsCommand_thenCommandIsAnsweredInTwoRounds() {
        for (int i = 0; i < 2 * TURN; i++) {
            first.nop();
        }
        second.nop();
        bench.turn();
        bench.turn();
        assertEquals(1, answers(second));
    }

    @Test
    void givenVmWithFloodingSessions_whenNeighbourFloods_thenVmsHaveEqualTurns() {
        TestPvGuest neighbour = bench.guest("b");
        bench.turn();
        for (int i = 0; i < 2 * TURN; i++) {
            first.nop();
            second.nop();
            neighbour.nop();
        }
        bench.turn();
        assertEquals(TURN, answers(neighbour));
        assertEquals(TURN, answers(first) + answers(second));
    }

    @Test
    void givenWorkingSession_whenSiblingsComeAndGo_thenOnlySiblingsResourcesAreReleased() {
        int space = first.openSpace();
        int channel = first.openChannel(space);
        first.ok(first.allocateVram(MIB));
        bench.leave(second);
        long before = place.arena().usedBytes();
        for (int life = 1; life <= 5; life++) {
            TestPvGuest sibling = bench.serve(place);
            int own = sibling.openSpace();
            sibling.release(sibling.openChannel(own), TestPvGuest.DATA_VA + DONE, life);
            sibling.ok(sibling.allocateVram(PvBench.VRAM - MIB));
            sibling.waitForFence(DONE, life + 1, -1);
            bench.leave(sibling);
            assertEquals(before, place.arena().usedBytes());
            first.release(channel, TestPvGuest.DATA_VA + DONE, life);
            int value = life;
            bench.runUntil("the first session's work", () -> first.word(DONE) == value);
        }
        assertEquals(MIB, statistic(first, Statistic.VRAM_BYTES));
        assertFalse(first.host.isDropped());
    }

    /// Tests that the end of a channel after an error does not affect the session that receives the
    /// channel's id in the same turn. Pairs of commands keep the first session first in the turns.
    @Test
    void givenFailedChannelThatIsDestroyed_whenSiblingTakesId_thenChannelOfSiblingWorks() {
        int space = first.openSpace();
        int channel = first.openChannel(space);
        int other = second.openSpace();
        second.ok(second.nop());

        first.withFlags(CommandEntry.QUIET)
                .runQuietly(channel, MethodHeader.of(MethodHeader.RESERVED, 0, 0, 1), 0);
        second.withFlags(CommandEntry.QUIET).nop();
        bench.turn();
        bench.takeOwnersTurn();
        for (int i = 0; i < GPU_STEPS; i++) {
            bench.gpu.doWork();
        }
        first.withFlags(0);
        long destruction = first.onHandle(CommandOpcode.CHANNEL_DESTROY, channel);
        second.nop();
        bench.poller.doWork();
        bench.takeOwnersTurn();
        int own = second.withFlags(0).openChannel(other);
        first.ok(destruction);

        second.release(own, TestPvGuest.DATA_VA + DONE, 1);
        bench.runUntil("the sibling's work", () -> second.word(DONE) == 1);
    }

    @Test
    void givenDepartingSessions_whenPolled_thenSingleSessionReturnsResourcesPerRound() {
        for (int i = 0; i < QUOTAS.spaces() / 2; i++) {
            first.ok(first.createSpace());
            second.ok(second.createSpace());
        }
        bench.takeOffGpu(first);
        bench.takeOffGpu(second);
        bench.poller.release(first.host);
        bench.poller.release(second.host);
        bench.poller.doWork();
        assertEquals(SPACES_PER_ROUND, place.use().spaces().free());
        bench.runUntil("the departures", () -> first.host.isReleased() && second.host.isReleased());
        assertEquals(QUOTAS.spaces(), place.use().spaces().free());
    }

    @Test
    void givenDestroyedSpacesOfSeveralSessions_whenFlushed_thenFewAreReclaimedPerRound() {
        Map<TestPvGuest, Integer> spaces = new LinkedHashMap<>();
        for (TestPvGuest guest : List.of(first, second)) {
            int space = guest.openSpace();
            guest.openChannel(space);
            guest.ok(guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 0));
            spaces.put(guest, space);
        }
        Quota retired = place.use().retiredSpaces();
        long all = retired.free();
        bench.ownerWorks = false;
        spaces.forEach((guest, space) -> {
            guest.unmap(space, VA, PAGE);
            for (int i = 0; i < DESTROYED; i++) {
                int other = guest.ok(guest.createSpace());
                guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, other));
            }
        });
        bench.ownerWorks = true;
        assertEquals(all - 2 * DESTROYED, retired.free());
        while (retired.free() < all) {
            long before = retired.free();
            bench.turn();
            assertTrue(retired.free() - before <= SPACES_PER_ROUND);
        }
    }

    private static void refuseChannel(TestPvGuest guest, int space) {
        guest.expect(
                CommandStatus.QUOTA_CHANNELS,
                guest.createChannel(space, TestPvGuest.DATA_VA, TestPvGuest.RING_ORDER));
    }

    private static long statistic(TestPvGuest guest, Statistic statistic) {
        guest.ok(guest.statistics(0, Statistic.values().length * Long.BYTES));
        return guest.data.get(ValueLayout.JAVA_LONG, statistic.offset());
    }

    /// Returns the number of new answers.
    private static int answers(TestPvGuest guest) {
        int count = 0;
        while (guest.completions.poll()) {
            count++;
        }
        guest.completions.release();
        return count;
    }
}

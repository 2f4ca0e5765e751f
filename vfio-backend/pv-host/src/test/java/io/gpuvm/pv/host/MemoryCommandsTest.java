package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapOptions;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.Statistic;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the commands for memory and address spaces.
class MemoryCommandsTest {
    private static final long PAGE = 4096;
    private static final long BIG = 128 * 1024;
    private static final long VA = 1L << 24;
    private static final long END = TableGeometry.VA_MASK + 1;
    private static final int UNKNOWN = 0x12345;

    private final PvBench bench = new PvBench();
    private final TestPvGuest guest = bench.guest("a");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenNop_whenSent_thenNopIsAnswered() {
        guest.ok(guest.nop());
    }

    @Test
    void givenUnknownOpcode_whenSent_thenCommandIsRefused() {
        CommandEntry entry = new CommandEntry().wrap(guest.commands.memory(), guest.claim());
        guest.expect(CommandStatus.BAD_OPCODE, guest.send(0x7777, entry));
    }

    @Test
    void givenUnknownFlag_whenSent_thenCommandIsRefused() {
        guest.withFlags(0x80);
        guest.expect(CommandStatus.BAD_FLAGS, guest.nop());
    }

    @Test
    void givenQuietCommands_whenExecuted_thenOnlyFailuresAreAnswered() {
        guest.withFlags(CommandEntry.QUIET).nop();
        guest.expect(CommandStatus.BAD_RANGE, guest.allocateVram(0));
        guest.nop();
        guest.ok(guest.withFlags(0).nop());
    }

    @Test
    void givenLinkedCommands_whenOneCommandFails_thenLaterCommandsOfChainAreCancelled() {
        guest.withFlags(CommandEntry.LINKED);
        long good = guest.nop();
        long bad = guest.allocateVram(-1);
        long linked = guest.nop();
        long last = guest.withFlags(0).nop();
        long next = guest.nop();
        guest.ok(good);
        guest.expect(CommandStatus.BAD_RANGE, bad);
        guest.expect(CommandStatus.CANCELLED, linked);
        guest.expect(CommandStatus.CANCELLED, last);
        guest.ok(next);
    }

    @Test
    void givenLinkedCommands_whenMappingFails_thenLinkedCommandsAreCancelled() {
        int space = guest.ok(guest.createSpace());
        guest.withFlags(CommandEntry.LINKED);
        long bad = guest.map(space, VA, Handle.DATA_AREA, 1, PAGE, 0);
        long last = guest.withFlags(0).nop();
        guest.expect(CommandStatus.MISALIGNED, bad);
        guest.expect(CommandStatus.CANCELLED, last);
    }

    @Test
    void givenVram_whenMoreThanQuotaIsAllocated_thenAllocationIsRefused() {
        int all = guest.ok(guest.allocateVram(PvBench.VRAM));
        assertNotEquals(Handle.NONE, all);
        guest.expect(CommandStatus.QUOTA_VRAM, guest.allocateVram(1));
        guest.ok(guest.onHandle(CommandOpcode.VRAM_FREE, all));
        guest.ok(guest.allocateVram(PvBench.VRAM));
    }

    @Test
    void givenInvalidSizes_whenAllocated_thenAllocationIsRefused() {
        guest.expect(CommandStatus.BAD_RANGE, guest.allocateVram(0));
        guest.expect(CommandStatus.BAD_RANGE, guest.allocateVram(Long.MIN_VALUE));
        guest.expect(CommandStatus.QUOTA_VRAM, guest.allocateVram(Long.MAX_VALUE));
    }

    @Test
    void givenMaximumOfPieces_whenAnotherPieceIsAllocated_thenAllocationIsRefused() {
        for (int i = 0; i < PvBench.QUOTAS.handles(); i++) {
            guest.ok(guest.allocateVram(1));
        }
        guest.expect(CommandStatus.QUOTA_HANDLES, guest.allocateVram(1));
    }

    @Test
    void givenReleasedHandle_whenUsed_thenCommandIsRefused() {
        int handle = guest.ok(guest.allocateVram(PAGE));
        int space = guest.ok(guest.createSpace());
        guest.ok(guest.onHandle(CommandOpcode.VRAM_FREE, handle));
        guest.ok(guest.allocateVram(PAGE));
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.VRAM_FREE, handle));
        guest.expect(CommandStatus.BAD_HANDLE, guest.map(space, VA, handle, 0, PAGE, 0));
    }

    @Test
    void givenHandleOfOtherKind_whenUsed_thenCommandIsRefused() {
        int memory = guest.ok(guest.allocateVram(PAGE));
        int space = guest.ok(guest.createSpace());
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.SPACE_DESTROY, memory));
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.VRAM_FREE, space));
        guest.expect(CommandStatus.BAD_HANDLE, guest.map(memory, VA, memory, 0, PAGE, 0));
        guest.expect(CommandStatus.BAD_HANDLE, guest.map(space, VA, space, 0, PAGE, 0));
        guest.expect(
                CommandStatus.BAD_HANDLE,
                guest.onHandle(CommandOpcode.VRAM_FREE, Handle.DATA_AREA));
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.VRAM_FREE, UNKNOWN));
    }

    @Test
    void givenHandlesOfOtherGuest_whenUsed_thenHandlesAreInvalid() {
        TestPvGuest other = bench.guest("b");
        other.ok(other.allocateVram(PAGE));
        int second = other.ok(other.allocateVram(PAGE));
        int space = guest.ok(guest.createSpace());
        guest.expect(CommandStatus.BAD_HANDLE, guest.map(space, VA, second, 0, PAGE, 0));
        guest.expect(CommandStatus.BAD_HANDLE, guest.onHandle(CommandOpcode.VRAM_FREE, second));
        other.ok(other.onHandle(CommandOpcode.VRAM_FREE, second));
    }

    @Test
    void givenMaximumOfSpaces_whenAnotherSpaceIsCreated_thenCreationIsRefused() {
        int last = 0;
        for (int i = 0; i < PvBench.QUOTAS.spaces(); i++) {
            last = guest.ok(guest.createSpace());
        }
        guest.expect(CommandStatus.QUOTA_SPACES, guest.createSpace());
        guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, last));
        guest.ok(guest.createSpace());
    }

    @Test
    void givenRangesBeyondMemory_whenMapped_thenMappingIsRefused() {
        int space = guest.ok(guest.createSpace());
        int memory = guest.ok(guest.allocateVram(4 * PAGE));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, 0, 5 * PAGE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, 4 * PAGE, PAGE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, -PAGE, PAGE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, 0, 0, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, 0, -PAGE, 0));
        long most = Long.MAX_VALUE & -PAGE;
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, VA, memory, most, most, 0));
    }

    @Test
    void givenInvalidAddresses_whenMapped_thenMappingIsRefused() {
        int space = guest.ok(guest.createSpace());
        int memory = guest.ok(guest.allocateVram(4 * PAGE));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, END, memory, 0, PAGE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, END - PAGE, memory, 0, 2 * PAGE, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.map(space, -PAGE, memory, 0, PAGE, 0));
        guest.ok(guest.map(space, END - PAGE, memory, 0, PAGE, 0));
    }

    @Test
    void givenUnalignedAddresses_whenMapped_thenMappingIsRefused() {
        int space = guest.ok(guest.createSpace());
        int memory = guest.ok(guest.allocateVram(4 * BIG));
        guest.expect(CommandStatus.MISALIGNED, guest.map(space, VA + 1, memory, 0, PAGE, 0));
        guest.expect(CommandStatus.MISALIGNED, guest.map(space, VA, memory, 8, PAGE, 0));
        guest.expect(CommandStatus.MISALIGNED, guest.map(space, VA, memory, 0, PAGE - 1, 0));
        int big = MapOptions.BIG;
        guest.expect(CommandStatus.MISALIGNED, guest.map(space, VA, memory, 0, PAGE, big));
        guest.expect(CommandStatus.MISALIGNED, guest.map(space, VA + PAGE, memory, 0, BIG, big));
        guest.ok(guest.map(space, VA, memory, BIG, BIG, big));
        guest.expect(CommandStatus.MISALIGNED, guest.unmap(space, VA + 1, PAGE));
        guest.expect(CommandStatus.MISALIGNED, guest.unmap(space, VA, 1));
    }

    @Test
    void givenUnknownOptions_whenMapped_thenMappingIsRefused() {
        int space = guest.ok(guest.createSpace());
        guest.expect(CommandStatus.BAD_FLAGS, guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 8));
        guest.expect(CommandStatus.BAD_FLAGS, guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 3));
    }

    @Test
    void givenMappedPage_whenMappedAgain_thenProgressIsReported() {
        int space = guest.ok(guest.createSpace());
        guest.ok(guest.map(space, VA + 3 * PAGE, Handle.DATA_AREA, 0, PAGE, 0));
        long over = guest.map(space, VA, Handle.DATA_AREA, 0, 8 * PAGE, 0);
        guest.expect(CommandStatus.MAPPED, over);
        assertEquals(3 * PAGE, guest.answer.done());
    }

    @Test
    void givenUnmappedRange_whenUnmapped_thenErrorIsReported() {
        int space = guest.ok(guest.createSpace());
        guest.expect(CommandStatus.NOT_MAPPED, guest.unmap(space, VA, PAGE));
        guest.expect(CommandStatus.BAD_RANGE, guest.unmap(space, VA, 0));
        guest.expect(CommandStatus.BAD_RANGE, guest.unmap(space, VA, END));
        guest.expect(CommandStatus.BAD_HANDLE, guest.unmap(UNKNOWN, VA, PAGE));
        guest.ok(guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 0));
        guest.ok(guest.unmap(space, 0, END));
        assertEquals(END, guest.answer.done());
        guest.expect(CommandStatus.NOT_MAPPED, guest.unmap(space, 0, END));
    }

    @Test
    void givenStridedPieces_whenMapped_thenPiecesAreConsecutive() {
        int space = guest.ok(guest.createSpace());
        strided(space, 0, 3 * PAGE, 2 * (int) PAGE, 5, CommandStatus.OK);
        assertEquals(10 * PAGE, guest.answer.done());
        assertEquals(10, statistic(Statistic.MAPPED_PAGES));
    }

    @Test
    void givenStridedPiecesBeyondMemory_whenMapped_thenNoPieceIsMapped() {
        int space = guest.ok(guest.createSpace());
        long data = guest.data.byteSize();
        int page = (int) PAGE;
        strided(space, 0, data / 2, page, 3, CommandStatus.BAD_RANGE);
        strided(space, 0, Long.MAX_VALUE & -PAGE, page, 2, CommandStatus.BAD_RANGE);
        strided(space, 0, -PAGE, page, 2, CommandStatus.BAD_RANGE);
        strided(space, 0, 0, page, -1, CommandStatus.BAD_RANGE);
        strided(space, 0, 0, page, 0, CommandStatus.BAD_RANGE);
        strided(space, 0, 0, 0, 1, CommandStatus.BAD_RANGE);
        strided(space, 0, 8, page, 2, CommandStatus.MISALIGNED);
        strided(space, 0, PAGE, 8, 2, CommandStatus.MISALIGNED);
        assertEquals(0, statistic(Statistic.MAPPED_PAGES));
    }

    @Test
    void givenRepeatedPiece_whenMapped_thenPieceAppearsRepeatedly() {
        int space = guest.ok(guest.createSpace());
        strided(space, 0, 0, (int) PAGE, 100, CommandStatus.OK);
        assertEquals(100 * PAGE, guest.answer.done());
    }

    @Test
    void givenListOfPieces_whenMapped_thenPiecesAreConsecutive() {
        int space = guest.ok(guest.createSpace());
        int memory = guest.ok(guest.allocateVram(8 * PAGE));
        MapPiece.put(guest.data, 0, memory, 2 * PAGE, 3 * PAGE);
        MapPiece.put(guest.data, MapPiece.BYTES, Handle.DATA_AREA, 0, PAGE);
        list(space, 0, 2, CommandStatus.OK);
        assertEquals(4 * PAGE, guest.answer.done());
    }

    @Test
    void givenListWithInvalidPiece_whenMapped_thenEarlierPiecesAreMapped() {
        int space = guest.ok(guest.createSpace());
        MapPiece.put(guest.data, 0, Handle.DATA_AREA, 0, 2 * PAGE);
        MapPiece.put(guest.data, MapPiece.BYTES, UNKNOWN, 0, PAGE);
        list(space, 0, 2, CommandStatus.BAD_HANDLE);
        assertEquals(2 * PAGE, guest.answer.done());
        assertEquals(2, statistic(Statistic.MAPPED_PAGES));
    }

    @Test
    void givenListBeyondDataArea_whenMapped_thenMappingIsRefused() {
        int space = guest.ok(guest.createSpace());
        list(space, guest.data.byteSize() - MapPiece.BYTES, 2, CommandStatus.BAD_RANGE);
        list(space, -8, 1, CommandStatus.BAD_RANGE);
        list(space, 0, -1, CommandStatus.BAD_RANGE);
        list(space, 0, 0, CommandStatus.BAD_RANGE);
        list(space, 4, 1, CommandStatus.MISALIGNED);
    }

    @Test
    void givenMorePagesThanAllowed_whenMapped_thenQuotaIsEnforced() {
        int space = guest.ok(guest.createSpace());
        int page = (int) PAGE;
        long most = PvBench.QUOTAS.mappedPages();
        strided(space, 0, 0, page, (int) most + 1, CommandStatus.QUOTA_PAGES);
        assertEquals(most * PAGE, guest.answer.done());
        guest.expect(
                CommandStatus.QUOTA_PAGES,
                guest.map(space, VA + (most + 1) * PAGE, Handle.DATA_AREA, 0, PAGE, 0));
        guest.ok(guest.unmap(space, VA, PAGE));
        guest.ok(guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 0));
        guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, space));
        assertEquals(0, statistic(Statistic.MAPPED_PAGES));
    }

    @Test
    void givenExhaustedQuotaOfPages_whenPartOfBigPageIsUnmapped_thenQuotaIsEnforced() {
        PvQuotas few = new PvQuotas(1, 1 << 20, 16, 4, 4, 10, 64, 8, 0);
        TestPvGuest small = bench.guest("few", few);
        int space = small.ok(small.createSpace());
        int memory = small.ok(small.allocateVram(10 * BIG));
        small.ok(small.map(space, VA, memory, 0, 10 * BIG, MapOptions.BIG));

        small.expect(CommandStatus.QUOTA_PAGES, small.unmap(space, VA, PAGE));

        small.ok(small.statistics(PAGE, 4096));
        long pages = PAGE + Statistic.MAPPED_PAGES.offset();
        assertEquals(10, small.data.get(ValueLayout.JAVA_LONG, pages));
        small.ok(small.unmap(space, VA, BIG));
    }

    @Test
    void givenGuestThatMapsAndUnmapsAtManyAddresses_whenContinued_thenTablesAreReused() {
        int shown = guest.openSpace();
        guest.openChannel(shown);
        int hidden = guest.ok(guest.createSpace());
        long span = TableGeometry.BIG_PAGES_128K.spanBytes();
        for (int i = 10; i < 200; i++) {
            guest.ok(guest.map(shown, i * span, Handle.DATA_AREA, 0, PAGE, 0));
            guest.ok(guest.unmap(shown, i * span, PAGE));
            guest.ok(guest.map(hidden, i * span, Handle.DATA_AREA, 0, PAGE, 0));
            guest.ok(guest.unmap(hidden, i * span, PAGE));
        }
    }

    @Test
    void givenLongUnmappingOfManyTables_whenContinuedOverManyTurns_thenTablesAreReused() {
        int space = guest.openSpace();
        guest.openChannel(space);
        long span = TableGeometry.BIG_PAGES_128K.spanBytes();
        for (int round = 0; round < 8; round++) {
            for (int i = 10; i < 40; i++) {
                guest.ok(guest.map(space, i * span, Handle.DATA_AREA, 0, 100 * PAGE, 0));
            }
            guest.ok(guest.unmap(space, 10 * span, 30 * span));
        }
    }

    @Test
    void givenFragmentedShare_whenLargePieceIsAllocated_thenAllocationIsRefusedAndNoVramIsLost() {
        int pages = 1024;
        PvQuotas many = new PvQuotas(1, 1 << 20, 4096, 4, 4, 10, 64, 8, 0);
        TestPvGuest breaker = bench.guest("breaker", many);
        int[] handles = new int[pages];
        for (int i = 0; i < pages; i++) {
            handles[i] = breaker.ok(breaker.allocateVram(PAGE));
        }
        int rest = breaker.ok(breaker.allocateVram(PvBench.VRAM - pages * PAGE));
        for (int i = 0; i < pages; i += 2) {
            breaker.ok(breaker.onHandle(CommandOpcode.VRAM_FREE, handles[i]));
        }
        breaker.expect(CommandStatus.NO_MEMORY, breaker.allocateVram(pages / 2 * PAGE));
        breaker.ok(breaker.allocateVram(256 * PAGE));
        breaker.ok(breaker.onHandle(CommandOpcode.VRAM_FREE, rest));
        breaker.ok(breaker.allocateVram(PvBench.VRAM - pages * PAGE));
    }

    @Test
    void givenLongMapping_whenOtherGuestSendsCommand_thenCommandIsAnsweredBeforeEndOfMapping() {
        TestPvGuest other = bench.guest("b");
        int space = guest.ok(guest.createSpace());
        stridedOf(space, 0, 0, (int) PAGE, (int) PvBench.QUOTAS.mappedPages());
        other.nop();
        bench.turn();
        assertTrue(other.completions.poll());
        assertFalse(guest.completions.poll());
        guest.next();
        assertEquals(CommandStatus.OK, guest.answer.status());
    }

    @Test
    void givenFullArena_whenMorePagesAreMapped_thenErrorIsReportedAndOtherGuestsContinue() {
        int space = guest.ok(guest.createSpace());
        long span = TableGeometry.BIG_PAGES_128K.spanBytes();
        CommandStatus status = CommandStatus.OK;
        for (long at = 0; status == CommandStatus.OK; at += span) {
            guest.map(space, at, Handle.DATA_AREA, 0, PAGE, 0);
            status = guest.next().status();
        }
        assertEquals(CommandStatus.NO_MEMORY, status);
        guest.ok(guest.onHandle(CommandOpcode.SPACE_DESTROY, space));
        int again = guest.ok(guest.createSpace());
        guest.ok(guest.map(again, 0, Handle.DATA_AREA, 0, PAGE, 0));
        TestPvGuest other = bench.guest("b");
        other.ok(other.createSpace());
    }

    @Test
    void givenWord_whenQueried_thenValueIsReturned() {
        guest.data.set(ValueLayout.JAVA_INT, 64, -5);
        assertEquals(-5, guest.ok(guest.queryFence(64)));
        guest.expect(CommandStatus.MISALIGNED, guest.queryFence(65));
        guest.expect(CommandStatus.BAD_RANGE, guest.queryFence(guest.data.byteSize()));
        guest.expect(CommandStatus.BAD_RANGE, guest.queryFence(-4));
        guest.expect(CommandStatus.BAD_RANGE, guest.queryFence(Long.MIN_VALUE));
    }

    @Test
    void givenWord_whenAwaited_thenWaitIsAnsweredWhenValueIsReached() {
        long wait = guest.waitForFence(64, 7, Long.MAX_VALUE);
        guest.ok(guest.nop());
        guest.data.set(ValueLayout.JAVA_INT, 64, 8);
        assertEquals(8, guest.ok(wait));
        assertEquals(8, guest.ok(guest.waitForFence(64, 7, 0)));
    }

    @Test
    void givenUnreachedWord_whenTimeoutPasses_thenWaitTimesOut() {
        long wait = guest.waitForFence(64, 7, 1_000_000_000_000L);
        guest.ok(guest.nop());
        bench.laterNs = 1_000_000_000_000L;
        guest.expect(CommandStatus.TIMED_OUT, wait);
    }

    @Test
    void givenMaximumOfWaits_whenAnotherWaitIsSent_thenWaitIsRefusedAndOtherWaitsContinue() {
        for (int i = 0; i < PvBench.QUOTAS.waits(); i++) {
            guest.waitForFence(64, 1, -1);
        }
        guest.expect(CommandStatus.QUOTA_WAITS, guest.waitForFence(64, 1, -1));
        guest.ok(guest.nop());
        guest.expect(CommandStatus.BAD_RANGE, guest.waitForFence(-64, 1, -1));
        guest.data.set(ValueLayout.JAVA_INT, 64, 1);
        for (int i = 0; i < PvBench.QUOTAS.waits(); i++) {
            assertEquals(CommandStatus.OK, guest.next().status());
        }
    }

    @Test
    void givenRoomForStatistics_whenStatisticsAreQueried_thenStatisticsThatFitAreWritten() {
        guest.ok(guest.allocateVram(3 * PAGE));
        guest.expect(CommandStatus.BAD_FLAGS, guest.withFlags(0x10).nop());
        guest.withFlags(0);
        assertEquals(3 * PAGE, statistic(Statistic.VRAM_BYTES));
        assertEquals(1, statistic(Statistic.HANDLES));
        assertEquals(1, statistic(Statistic.FAILED_COMMANDS));
        assertEquals(6, statistic(Statistic.COMMANDS));

        guest.data.asSlice(0, 64).fill((byte) -1);
        guest.ok(guest.statistics(0, 20));
        assertEquals(16, guest.answer.done());
        assertEquals(-1, guest.data.get(ValueLayout.JAVA_LONG, 16));
        guest.expect(CommandStatus.BAD_RANGE, guest.statistics(guest.data.byteSize() - 8, 16));
        guest.expect(CommandStatus.MISALIGNED, guest.statistics(4, 16));
    }

    private long statistic(Statistic statistic) {
        guest.ok(guest.statistics(PAGE, 4096));
        return guest.data.get(ValueLayout.JAVA_LONG, PAGE + statistic.offset());
    }

    private void strided(
            int space, long offset, long stride, int pieceBytes, int count, CommandStatus status) {
        guest.expect(status, stridedOf(space, offset, stride, pieceBytes, count));
    }

    private long stridedOf(int space, long offset, long stride, int pieceBytes, int count) {
        return guest.send(
                CommandOpcode.MAP_STRIDED,
                guest.strided()
                        .space(space)
                        .gpuVa(VA)
                        .memory(Handle.DATA_AREA)
                        .offset(offset)
                        .stride(stride)
                        .pieceBytes(pieceBytes)
                        .count(count));
    }

    private void list(int space, long at, int count, CommandStatus status) {
        MapListCommand list = guest.list().space(space).gpuVa(VA).list(at).count(count);
        guest.expect(status, guest.send(CommandOpcode.MAP_LIST, list));
    }
}

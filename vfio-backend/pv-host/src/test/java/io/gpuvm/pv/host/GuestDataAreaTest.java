package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.pv.protocol.CommandStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Tests of the ranges of the data area that a guest may use.
class GuestDataAreaTest {
    private static final long BYTES = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final GuestDataArea area = new GuestDataArea(memory);

    @Test
    void givenRangesInside_whenChecked_thenRangesAreAccepted() {
        assertEquals(CommandStatus.OK, area.check(0, BYTES, Long.BYTES));
        assertEquals(
                CommandStatus.OK, area.check(BYTES - Integer.BYTES, Integer.BYTES, Integer.BYTES));
    }

    @Test
    void givenRangesBeyondEnd_whenChecked_thenRangesAreRefused() {
        assertEquals(CommandStatus.BAD_RANGE, area.check(BYTES, Integer.BYTES, Integer.BYTES));
        assertEquals(
                CommandStatus.BAD_RANGE,
                area.check(BYTES - Integer.BYTES, Long.BYTES, Integer.BYTES));
        assertEquals(CommandStatus.BAD_RANGE, area.check(0, BYTES + 1, Long.BYTES));
    }

    @Test
    void givenOffsetsWithOverflowingSums_whenChecked_thenRangesAreRefused() {
        assertEquals(
                CommandStatus.BAD_RANGE, area.check(-Integer.BYTES, Integer.BYTES, Integer.BYTES));
        assertEquals(
                CommandStatus.BAD_RANGE, area.check(Long.MIN_VALUE, Integer.BYTES, Integer.BYTES));
        assertEquals(
                CommandStatus.BAD_RANGE,
                area.check(Long.MAX_VALUE - 3, Integer.BYTES, Integer.BYTES));
        assertEquals(CommandStatus.BAD_RANGE, area.check(Long.BYTES, Long.MAX_VALUE, Long.BYTES));
    }

    @Test
    void givenOffsetsBetweenWords_whenChecked_thenMisalignmentIsReported() {
        assertEquals(CommandStatus.MISALIGNED, area.check(2, Integer.BYTES, Integer.BYTES));
        assertEquals(CommandStatus.MISALIGNED, area.check(Integer.BYTES, Long.BYTES, Long.BYTES));
    }
}

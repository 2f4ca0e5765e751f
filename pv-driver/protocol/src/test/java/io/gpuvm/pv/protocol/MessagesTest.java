package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages on the socket and contents of the channel table.
class MessagesTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 64);

    @Test
    void givenAHello_whenWritten_thenItReadsBack() {
        new Hello(3, 1L << 33).write(memory.asSlice(0, Hello.BYTES));
        assertEquals(new Hello(3, 1L << 33), Hello.read(memory));
    }

    @Test
    void givenAWelcome_whenWritten_thenItReadsBack() {
        Welcome.to(1L << 33).write(memory.asSlice(0, Welcome.BYTES));
        assertEquals(Welcome.to(1L << 33), Welcome.read(memory));
    }

    @Test
    void givenARefusal_whenWritten_thenItsReasonReadsBack() {
        Welcome refusal = Welcome.refused("version=2, limit=1");
        refusal.write(memory.asSlice(0, Welcome.BYTES));
        assertEquals(refusal, Welcome.read(memory));
    }

    @Test
    void givenBytesWithoutTheMagicNumber_whenRead_thenTheyAreNoMessage() {
        memory.fill((byte) 0xff);
        assertNull(Hello.read(memory));
        assertNull(Welcome.read(memory));
    }

    @Test
    void givenTheMagicNumber_whenReadAsText_thenItSaysWhatThisIs() {
        Welcome.to(0).write(memory);
        assertEquals("gpuvm-pv", WireType.text(memory, 0, Long.BYTES));
    }

    @Test
    void givenATextThatIsTooLong_whenWritten_thenItIsCutBetweenCharacters() {
        WireType.putText(memory, 0, 6, "12345\u00fc");
        assertEquals("12345", WireType.text(memory, 0, 6));
        WireType.putText(memory, 0, 7, "12345\u00fc");
        assertEquals("12345\u00fc", WireType.text(memory, 0, 7));
    }

    @Test
    void givenAnOpenChannel_whenItsSlotIsRead_thenThereIsNoFailure() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256);
        assertNull(slot.failure());
        slot.open().get(5);
        assertEquals(5, slot.get());
        assertNull(slot.failure());
    }

    @ParameterizedTest
    @EnumSource
    void givenAFailureOfAnyKind_whenReported_thenItReadsBack(ChannelFailure.Kind kind) {
        ChannelFailure failure = new ChannelFailure(kind, "fault at 0x1000");
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open();
        slot.fail(ChannelSlot.DEAD, failure);
        assertEquals(failure, slot.failure());
        assertEquals(ChannelSlot.DEAD, slot.state());
    }

    @Test
    void givenAVeryLongFailure_whenReported_thenItStaysInItsSlot() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open();
        slot.fail(
                ChannelSlot.FAILED,
                new ChannelFailure(ChannelFailure.Kind.METHOD, "x".repeat(ChannelSlot.BYTES)));
        assertEquals("x".repeat(ChannelSlot.FAILURE_TEXT_BYTES), slot.failure().message());
        MemorySegment next = memory.asSlice(256 + ChannelSlot.BYTES, ChannelSlot.BYTES);
        assertEquals(-1, next.mismatch(Arena.ofAuto().allocate(ChannelSlot.BYTES)));
    }

    @Test
    void givenAKindThatThisVersionDoesNotKnow_whenAFailureIsRead_thenTheGpuCountsAsLost() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open().state(ChannelSlot.DEAD);
        for (int code : new int[] {Integer.MIN_VALUE, 0, 6, Integer.MAX_VALUE}) {
            memory.set(WireType.U32, 256 + ChannelSlot.FAILURE_KIND, code);
            assertEquals(ChannelFailure.Kind.LOST, slot.failure().what());
        }
    }

    @Test
    void givenAPieceOfAList_whenWritten_thenItReadsBack() {
        MapPiece.put(memory, 48, 1, 1L << 40, 1L << 41);
        assertEquals(1, MapPiece.memory(memory, 48));
        assertEquals(1L << 40, MapPiece.offset(memory, 48));
        assertEquals(1L << 41, MapPiece.bytes(memory, 48));
        assertTrue(MapPiece.LENGTH + Long.BYTES <= MapPiece.BYTES);
    }
}

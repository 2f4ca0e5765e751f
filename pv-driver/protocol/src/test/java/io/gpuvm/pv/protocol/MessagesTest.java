package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of messages on the socket, slots of the channel table and lists of pieces.
class MessagesTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 64);

    @Test
    void givenHello_whenWritten_thenSameHelloIsRead() {
        new Hello(3, 1L << 33).write(memory.asSlice(0, Hello.BYTES));
        assertEquals(new Hello(3, 1L << 33), Hello.read(memory));
    }

    @Test
    void givenWelcome_whenWritten_thenSameWelcomeIsRead() {
        Welcome.to(1L << 33).write(memory.asSlice(0, Welcome.BYTES));
        assertEquals(Welcome.to(1L << 33), Welcome.read(memory));
    }

    @Test
    void givenRefusal_whenWritten_thenSameReasonIsRead() {
        Welcome refusal = Welcome.refused("version=2, expected=1");
        refusal.write(memory.asSlice(0, Welcome.BYTES));
        assertEquals(refusal, Welcome.read(memory));
    }

    @Test
    void givenMessagesOfCudaPrograms_whenWritten_thenSameMessagesAreRead() {
        Hello hello = new Hello(RingProtocol.CUDA, 1, 4096);
        hello.write(memory.asSlice(0, Hello.BYTES));
        assertEquals("gpuvm-cu", WireType.text(memory, 0, Long.BYTES));
        assertEquals(hello, Hello.read(memory));
        Welcome refusal = Welcome.refused(RingProtocol.CUDA, "sessions=17, limit=16");
        refusal.write(memory.asSlice(0, Welcome.BYTES));
        assertEquals("gpuvm-cu", WireType.text(memory, 0, Long.BYTES));
        assertEquals(refusal, Welcome.read(memory));
    }

    @Test
    void givenBytesWithoutMagicNumber_whenRead_thenResultIsNull() {
        memory.fill((byte) 0xff);
        assertNull(Hello.read(memory));
        assertNull(Welcome.read(memory));
    }

    @Test
    void givenMagicNumber_whenReadAsText_thenTextNamesProtocol() {
        Welcome.to(0).write(memory);
        assertEquals("gpuvm-pv", WireType.text(memory, 0, Long.BYTES));
    }

    @Test
    void givenOverlongText_whenWritten_thenTextIsTruncatedBetweenCharacters() {
        WireType.putText(memory, 0, 6, "12345\u00fc");
        assertEquals("12345", WireType.text(memory, 0, 6));
        WireType.putText(memory, 0, 7, "12345\u00fc");
        assertEquals("12345\u00fc", WireType.text(memory, 0, 7));
    }

    @Test
    void givenOpenChannel_whenSlotIsRead_thenFailureIsNull() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256);
        assertNull(slot.failure());
        slot.open().get(5);
        assertEquals(5, slot.get());
        assertNull(slot.failure());
    }

    @ParameterizedTest
    @EnumSource
    void givenFailureOfAnyKind_whenReported_thenSameFailureIsRead(ChannelFailure.Kind kind) {
        ChannelFailure failure = new ChannelFailure(kind, "fault at 0x1000");
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open();
        slot.fail(ChannelSlot.DEAD, failure);
        assertEquals(failure, slot.failure());
        assertEquals(ChannelSlot.DEAD, slot.state());
    }

    @Test
    void givenVeryLongFailure_whenReported_thenTextStaysInSlot() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open();
        slot.fail(
                ChannelSlot.FAILED,
                new ChannelFailure(ChannelFailure.Kind.METHOD, "x".repeat(ChannelSlot.BYTES)));
        assertEquals("x".repeat(ChannelSlot.FAILURE_TEXT_BYTES), slot.failure().message());
        MemorySegment next = memory.asSlice(256 + ChannelSlot.BYTES, ChannelSlot.BYTES);
        assertEquals(-1, next.mismatch(Arena.ofAuto().allocate(ChannelSlot.BYTES)));
    }

    @Test
    void givenUnknownFailureKind_whenRead_thenKindIsLost() {
        ChannelSlot slot = new ChannelSlot().wrap(memory, 256).open().state(ChannelSlot.DEAD);
        for (int code : new int[] {Integer.MIN_VALUE, 0, 6, Integer.MAX_VALUE}) {
            memory.set(WireType.U32, 256 + ChannelSlot.FAILURE_KIND, code);
            assertEquals(ChannelFailure.Kind.LOST, slot.failure().what());
        }
    }

    @Test
    void givenPieceOfList_whenWritten_thenSamePieceIsRead() {
        MapPiece.put(memory, 48, 1, 1L << 40, 1L << 41);
        assertEquals(1, MapPiece.memory(memory, 48));
        assertEquals(1L << 40, MapPiece.offset(memory, 48));
        assertEquals(1L << 41, MapPiece.bytes(memory, 48));
        assertTrue(MapPiece.LENGTH + Long.BYTES <= MapPiece.BYTES);
    }
}

package io.gpuvm.gf100.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;
import org.junit.jupiter.api.Test;

class PushBufferTest {
    private static final int WORDS = 16;

    private final Words words = new Words(WORDS);

    @Test
    void givenMethods_whenWritten_thenDataFollowsHeader() {
        words.push().method(3, 0x100, 7).methods(2, 0x200, 8, 9).immediate(1, 0x300, 0x1fff);
        assertArrayEquals(
                new int[] {
                    MethodHeader.increasing(3, 0x100, 1),
                    7,
                    MethodHeader.increasing(2, 0x200, 2),
                    8,
                    9,
                    MethodHeader.immediate(1, 0x300, 0x1fff)
                },
                words.written());
    }

    @Test
    void givenAddress_whenWritten_thenHighHalfIsFirst() {
        words.push().address(2, 0x238, 0x12_3456_7890L);
        assertArrayEquals(
                new int[] {MethodHeader.increasing(2, 0x238, 2), 0x12, 0x3456_7890},
                words.written());
    }

    @Test
    void givenClass_whenBound_thenObjectContainsClassAndEngine() {
        words.push().bind(4, ClassId.COPY0);
        assertArrayEquals(
                new int[] {MethodHeader.increasing(4, ChannelClass.SET_OBJECT, 1), 0x490b5},
                words.written());
    }

    @Test
    void givenPartialWord_whenBytesAreWritten_thenLastWordIsPadded() {
        words.push().bytes(new byte[] {9, 1, 2, 3, 4, 5, -1}, 1, 6);
        assertArrayEquals(new int[] {0x04030201, 0xff05}, words.written());
    }

    @Test
    void givenNewPosition_whenWordIsWritten_thenWordIsAtPosition() {
        words.push().moveTo(8).word(5);
        assertEquals(12, words.push().position());
        assertArrayEquals(new int[] {0, 0, 5}, words.written());
    }

    @Test
    void givenFullBuffer_whenWordIsWritten_thenWriteIsRefused() {
        words.push().moveTo(WORDS * Integer.BYTES);
        assertThrows(IndexOutOfBoundsException.class, () -> words.push().word(1));
    }
}

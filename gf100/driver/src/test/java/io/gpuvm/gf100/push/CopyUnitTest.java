package io.gpuvm.gf100.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CopyUnitTest {
    private static final Rectangle LINES =
            new Rectangle(0x1_0000_1000L, 512, 0x2_0000_2000L, 1024, 300, 20);

    private final Words words = new Words(64);

    @Test
    void givenRectangle_whenM2mfCopies_thenTargetComesFirstAndSizesFollow() {
        CopyUnit.M2MF.copy(words.push(), LINES);
        assertArrayEquals(
                new int[] {
                    MethodHeader.increasing(2, M2mfClass.OFFSET_OUT_HIGH, 2),
                    1,
                    0x1000,
                    MethodHeader.increasing(2, M2mfClass.OFFSET_IN_HIGH, 2),
                    2,
                    0x2000,
                    MethodHeader.increasing(2, M2mfClass.PITCH_IN, 4),
                    1024,
                    512,
                    300,
                    20,
                    MethodHeader.immediate(2, M2mfClass.EXEC, 0x110)
                },
                words.written());
    }

    @Test
    void givenRectangle_whenCopyEngineCopies_thenSourceComesFirstAndSizesFollow() {
        CopyUnit.COPY1.copy(words.push(), LINES);
        assertArrayEquals(
                new int[] {
                    MethodHeader.increasing(4, CopyClass.SRC_ADDRESS_HIGH, 2),
                    2,
                    0x2000,
                    MethodHeader.increasing(4, CopyClass.DST_ADDRESS_HIGH, 2),
                    1,
                    0x1000,
                    MethodHeader.increasing(4, CopyClass.SRC_PITCH, 4),
                    1024,
                    512,
                    300,
                    20,
                    MethodHeader.immediate(4, CopyClass.EXEC, 0x110)
                },
                words.written());
    }

    @ParameterizedTest
    @EnumSource(CopyUnit.class)
    void givenUnit_whenRectangleIsCopied_thenDeclaredNumberOfWordsIsWritten(CopyUnit unit) {
        unit.bind(words.push());
        assertEquals(CopyUnit.BIND_WORDS, words.written().length);
        unit.copy(words.push(), LINES);
        assertEquals(CopyUnit.BIND_WORDS + CopyUnit.WORDS, words.written().length);
    }

    @ParameterizedTest
    @EnumSource(CopyUnit.class)
    void givenLongLine_whenDivided_thenEveryByteIsCopiedOnceAndInOrder(CopyUnit unit) {
        long bytes = (1L << 32) + 12_345;
        long done = 0;
        while (done < bytes) {
            Rectangle rest = Rectangle.line(done, 7 + done, bytes - done);
            Rectangle next = unit.startOf(rest);
            assertEquals(done, next.target());
            assertEquals(7 + done, next.source());
            assertTrue(next.lines() == 1 || next.targetPitch() == next.lineBytes());
            assertFits(unit, next);
            done += next.lineBytes() * next.lines();
        }
        assertEquals(bytes, done);
    }

    @ParameterizedTest
    @EnumSource(CopyUnit.class)
    void givenLargeRectangle_whenCornerIsComputed_thenCornerFitsInOneCommand(CopyUnit unit) {
        Rectangle large = new Rectangle(0, 500_000, 0, 500_000, 400_000, 100_000);
        Rectangle corner = unit.cornerOf(large);
        assertFits(unit, corner);
        assertEquals(500_000, corner.targetPitch());
    }

    @Test
    void givenLinesFarApart_whenPitchIsChecked_thenOnlyM2mfAcceptsRectangle() {
        Rectangle far = new Rectangle(0, 1, 0, CopyClass.PITCH_MASK + 1L, 1, 2);
        assertFalse(CopyUnit.COPY0.takes(far));
        assertTrue(CopyUnit.M2MF.takes(far));
        assertTrue(CopyUnit.COPY0.takes(Rectangle.line(0, 0, 1L << 30)));
    }

    @ParameterizedTest
    @EnumSource(CopyUnit.class)
    void givenLinesTooFarApart_whenCornerIsComputed_thenCornerHasOneLine(CopyUnit unit) {
        long far = 3L << 30;
        Rectangle corner = unit.cornerOf(new Rectangle(0, far, 0, 300, 300, 2));
        assertEquals(1, corner.lines());
        assertEquals(1, unit.cornerOf(new Rectangle(0, 300, 0, far, 300, 2)).lines());
        assertTrue(unit.takes(corner));
    }

    private static void assertFits(CopyUnit unit, Rectangle part) {
        boolean m2mf = unit == CopyUnit.M2MF;
        int line = m2mf ? M2mfClass.USUAL_MAX_LINE_LENGTH : CopyClass.X_COUNT_MASK;
        int lines = m2mf ? M2mfClass.USUAL_MAX_LINE_COUNT : CopyClass.Y_COUNT_MASK;
        assertTrue(part.lineBytes() <= line, part::toString);
        assertTrue(part.lines() <= lines, part::toString);
    }
}

package io.gpuvm.ptx.printf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the text of records. The expected texts are those of glibc.
class PrintfFormatTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    /// Returns a record of a buffer.
    private static byte[] record(String format, Object... arguments) {
        byte[] text = (format + "\0").getBytes(StandardCharsets.UTF_8);
        int first = 8 + (text.length + 7 & -8);
        int strings = first + arguments.length * Long.BYTES;
        byte[] all = new byte[strings + 1024];
        MemorySegment record = MemorySegment.ofArray(all);
        record.set(WORD, 4, text.length);
        System.arraycopy(text, 0, all, 8, text.length);
        int end = strings;
        for (int i = 0; i < arguments.length; i++) {
            long bits =
                    switch (arguments[i]) {
                        case Integer number -> Integer.toUnsignedLong(number);
                        case Long number -> number;
                        case Double number -> Double.doubleToRawLongBits(number);
                        case null -> 0;
                        default -> end;
                    };
            record.set(LONG, first + (long) i * Long.BYTES, bits);
            if (arguments[i] instanceof String string) {
                byte[] bytes = (string + "\0").getBytes(StandardCharsets.UTF_8);
                System.arraycopy(bytes, 0, all, end, bytes.length);
                end += bytes.length;
            }
        }
        record.set(WORD, 0, end + 7 & -8);
        return Arrays.copyOf(all, end + 7 & -8);
    }

    private static String text(String format, Object... arguments) {
        byte[] record = record(format, arguments);
        MemorySegment buffer = MemorySegment.ofArray(new byte[PrintfBuffer.BYTES]);
        buffer.set(WORD, 0, record.length);
        MemorySegment.copy(
                MemorySegment.ofArray(record), 0, buffer, PrintfBuffer.HEADER_BYTES, record.length);
        List<String> texts = new ArrayList<>();
        assertEquals(0, new PrintfBuffer(buffer).drain(texts::add));
        assertEquals(1, texts.size());
        return texts.getFirst();
    }

    @Test
    void givenIntegers_whenFormatted_thenTextIsThatOfC() {
        assertEquals("a=-5, b=4294967291 c", text("a=%d, b=%u c", -5, -5));
        assertEquals("ff FF 0xff 377 0377", text("%x %X %#x %o %#o", 255, 255, 255, 255, 255));
        assertEquals(
                "   42|42   |00042|+42| 42", text("%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42));
        assertEquals("-9223372036854775808", text("%lld", Long.MIN_VALUE));
        assertEquals("18446744073709551615", text("%llu", -1L));
        assertEquals("-1 255 -1 65535", text("%hhd %hhu %hd %hu", 0xff, 0xff, 0xffff, 0xffff));
        assertEquals("  007|-007", text("%5.3d|%.3d", 7, -7));
        assertEquals("   42|7    |", text("%*d|%*d|", 5, 42, -5, 7));
        assertEquals("|", text("%.0d|", 0));
    }

    @Test
    void givenTexts_whenFormatted_thenTextIsThatOfC() {
        assertEquals("A 100%", text("%c 100%%", 65));
        assertEquals(
                "[  abc] [abc  ] [ab] [(null)]",
                text("[%5s] [%-5s] [%.2s] [%s]", "abc", "abc", "abc", null));
        assertEquals("0x1234abcd", text("%p", 0x1234abcdL));
    }

    @Test
    void givenDoubles_whenFormatted_thenTextIsThatOfC() {
        assertEquals("1.500000 -0.000000", text("%f %f", 1.5, -0.0));
        assertEquals("0 2 2 4", text("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5));
        assertEquals("1.000000e+10 1.234568E-300", text("%e %E", 1e10, 1.23456789e-300));
        assertEquals(
                "0.0001 1e-05 100000 1e+06 0.1", text("%g %g %g %g %g", 1e-4, 1e-5, 1e5, 1e6, 0.1));
        assertEquals("1.00000", text("%#g", 1.0));
        assertEquals(
                "inf -inf nan NAN",
                text(
                        "%f %f %f %F",
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        Double.NaN,
                        Double.NaN));
        assertEquals(
                "   inf|00001.5|+1.5",
                text("%06f|%07.1f|%+.1f", Double.POSITIVE_INFINITY, 1.5, 1.5));
        assertEquals("0x1p+0 0x1.8p+1 0x0p+0 0x1.ap+3", text("%a %a %a %.1a", 1.0, 3.0, 0.0, 12.9));
        assertEquals("0.1000000000000000055511151231257827", text("%.34f", 0.1));
    }

    @Test
    void givenUnknownConversion_whenFormatted_thenItIsText() {
        assertEquals("%y 5 %", text("%y %d %", 5));
    }

    @Test
    void givenLargeWidth_whenFormatted_thenItIsLimited() {
        assertEquals(PrintfFormat.MAX_WIDTH, text("%999999999d", 5).length());
    }

    @Test
    void givenDamagedRecords_whenDrained_thenTheyAreSkipped() {
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[PrintfBuffer.BYTES];
            byte[] record = record("%s %d %f %5s", "abc", 5, 1.5, "def");
            System.arraycopy(record, 0, bytes, PrintfBuffer.HEADER_BYTES, record.length);
            bytes[0] = (byte) record.length;
            for (int change = 0; change < 4; change++) {
                bytes[random.nextInt(PrintfBuffer.HEADER_BYTES + record.length)] =
                        (byte) random.nextInt();
            }
            new PrintfBuffer(MemorySegment.ofArray(bytes)).drain(_ -> {});
        }
    }
}

package io.gpuvm.cuda.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Report about a kernel that failed, for the program's user. The backend writes reports into the
/// data area, one after another.
///
/// ```text
///    0  kind 32     4  bytes of the text 32
///    8  text: UTF-8, padded to a multiple of 8 bytes
/// ```
///
/// @param kind kind of the report
/// @param text text without a newline
public record KernelReport(Kind kind, String text) {
    /// Kinds of reports.
    public enum Kind {
        /// Failed assertion, which CUDA prints.
        ASSERTION(1),
        /// Position of a failure, which only a software GPU knows.
        FAULT(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /// Maximum length of a report in bytes.
    public static final int MAX_BYTES = 2048;

    /// Word at any address: a client chooses the place of the reports.
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int KIND = 0;
    private static final int TEXT_BYTES = 4;
    private static final int TEXT = 8;
    private static final int ALIGNMENT = Long.BYTES;

    /// Returns the length of the report in bytes.
    public int bytes() {
        return TEXT + padded(encoded().length);
    }

    /// Writes the report.
    ///
    /// @param target at least [#bytes()] bytes
    /// @return length of the report in bytes
    public int write(MemorySegment target) {
        byte[] encoded = encoded();
        int bytes = TEXT + padded(encoded.length);
        target.asSlice(0, bytes).fill((byte) 0);
        target.set(WORD, KIND, kind.code);
        target.set(WORD, TEXT_BYTES, encoded.length);
        MemorySegment.copy(encoded, 0, target, ValueLayout.JAVA_BYTE, TEXT, encoded.length);
        return bytes;
    }

    /// Reads a report.
    ///
    /// @param source memory that begins with a report
    public static KernelReport read(MemorySegment source) {
        int code = source.get(WORD, KIND);
        Kind kind =
                Arrays.stream(Kind.values()).filter(each -> each.code == code).findFirst().get();
        byte[] encoded =
                source.asSlice(TEXT, source.get(WORD, TEXT_BYTES)).toArray(ValueLayout.JAVA_BYTE);
        return new KernelReport(kind, new String(encoded, StandardCharsets.UTF_8));
    }

    /// Returns the text, cut off so that the report is not longer than its limit.
    private byte[] encoded() {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(encoded, Math.min(encoded.length, MAX_BYTES - TEXT));
    }

    private static int padded(int bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}

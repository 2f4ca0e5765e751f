package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Types of the protocol's fields: little-endian, each aligned to its size.
public final class WireType {
    public static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private WireType() {}

    /// Writes UTF-8 into a field of fixed length. Longer text is truncated; shorter text is padded
    /// with zeros.
    public static void putText(MemorySegment memory, long at, int room, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int kept = Math.min(bytes.length, room);
        // Truncation must not split a character.
        while (kept < bytes.length && kept > 0 && (bytes[kept] & 0xc0) == 0x80) {
            kept--;
        }
        memory.asSlice(at, room).fill((byte) 0);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, kept);
    }

    /// Reads text written by [#putText]: up to the first zero, or to the end of the field.
    public static String text(MemorySegment memory, long at, int room) {
        byte[] bytes = new byte[room];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, bytes, 0, room);
        int length = 0;
        while (length < room && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}

package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Little-endian accesses of variable width.
public final class Words {
    private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /// Reads 1, 2, 4 or 8 bytes, zero-extended.
    public static long read(MemorySegment segment, long offset, int width) {
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong(segment.get(U8, offset));
            case Short.BYTES -> Short.toUnsignedLong(segment.get(U16, offset));
            case Integer.BYTES -> Integer.toUnsignedLong(segment.get(U32, offset));
            case Long.BYTES -> segment.get(U64, offset);
            default -> throw badWidth(width);
        };
    }

    /// Writes 1, 2, 4 or 8 bytes.
    public static void write(MemorySegment segment, long offset, int width, long value) {
        switch (width) {
            case Byte.BYTES -> segment.set(U8, offset, (byte) value);
            case Short.BYTES -> segment.set(U16, offset, (short) value);
            case Integer.BYTES -> segment.set(U32, offset, (int) value);
            case Long.BYTES -> segment.set(U64, offset, value);
            default -> throw badWidth(width);
        }
    }

    /// Returns the result of a read at an address without memory.
    public static long allOnes(int width) {
        return -1L >>> Long.SIZE - width * Byte.SIZE;
    }

    private static IllegalArgumentException badWidth(int width) {
        return new IllegalArgumentException("width=" + width + ", expected 1, 2, 4 or 8");
    }
}

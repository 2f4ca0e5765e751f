package io.gpuvm.gf100.cubin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.foreign.ValueLayout.OfShort;
import java.nio.charset.StandardCharsets;

/// Part of an untrusted file. An access outside of the part throws [CubinException].
///
/// Accesses are little-endian and unaligned, because nvcc packs its sections.
record FileBytes(String name, MemorySegment segment) {
    private static final OfShort U16 = JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final OfInt U32 = JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    long bytes() {
        return segment.byteSize();
    }

    int u8(long offset) {
        check(offset, Byte.BYTES);
        return Byte.toUnsignedInt(segment.get(JAVA_BYTE, offset));
    }

    int u16(long offset) {
        check(offset, Short.BYTES);
        return Short.toUnsignedInt(segment.get(U16, offset));
    }

    long u32(long offset) {
        check(offset, Integer.BYTES);
        return Integer.toUnsignedLong(segment.get(U32, offset));
    }

    /// Reads 64 bits; the highest bit must be 0, because no valid field needs it.
    long u63(long offset) {
        check(offset, Long.BYTES);
        long value = segment.get(U64, offset);
        if (value < 0) {
            throw CubinException.at(name + "+" + offset, "value", value, "0 to " + Long.MAX_VALUE);
        }
        return value;
    }

    /// @param part name of the slice in error messages
    FileBytes slice(String part, long offset, long length) {
        if (offset < 0 || length < 0 || offset > bytes() - length) {
            throw new CubinException(
                    part + ": offset=" + offset + ", bytes=" + length + ", limit=" + bytes());
        }
        return new FileBytes(part, segment.asSlice(offset, length));
    }

    /// Returns the length of the zero-terminated text at the offset.
    int textLength(long offset, int limit) {
        long end = Math.min(bytes(), offset + limit + 1);
        for (long at = offset; at < end; at++) {
            if (u8(at) == 0) {
                return (int) (at - offset);
            }
        }
        throw new CubinException(
                "%s+%d: text bytes=%d, limit=%d, expected a terminating zero"
                        .formatted(name, offset, end - offset, limit));
    }

    String text(long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void check(long offset, long length) {
        if (offset < 0 || offset > bytes() - length) {
            throw new CubinException(
                    name + ": offset=" + offset + ", bytes=" + length + ", limit=" + bytes());
        }
    }
}

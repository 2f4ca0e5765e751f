package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Movable view of a structure in a message: little-endian fields at any alignment, read and
/// written in place. Moving a view allocates no memory.
abstract class Flyweight {
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MemorySegment buffer = MemorySegment.NULL;
    private long base;

    final void move(MemorySegment newBuffer, long newBase) {
        buffer = newBuffer;
        base = newBase;
    }

    final MemorySegment buffer() {
        return buffer;
    }

    final long base() {
        return base;
    }

    final int u16(long field) {
        return Short.toUnsignedInt(buffer.get(U16, base + field));
    }

    final void u16(long field, int value) {
        buffer.set(U16, base + field, (short) value);
    }

    final int i32(long field) {
        return buffer.get(U32, base + field);
    }

    final void i32(long field, int value) {
        buffer.set(U32, base + field, value);
    }

    final long u32(long field) {
        return Integer.toUnsignedLong(buffer.get(U32, base + field));
    }

    final long u64(long field) {
        return buffer.get(U64, base + field);
    }

    final void u64(long field, long value) {
        buffer.set(U64, base + field, value);
    }
}

package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DEVICE_GET_IRQ_INFO and of its reply.
///
/// ```
///   0       4       8       12      16
///  +-------+-------+-------+-------+
///  | argsz | flags | index | count |
///  +-------+-------+-------+-------+
/// ```
final class IrqInfoBody extends Flyweight {
    static final int BYTES = 16;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int COUNT = 12;

    IrqInfoBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    int flags() {
        return i32(FLAGS);
    }

    long index() {
        return u32(INDEX);
    }

    /// Returns the number of vectors.
    int count() {
        return i32(COUNT);
    }

    IrqInfoBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    IrqInfoBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    IrqInfoBody index(int index) {
        i32(INDEX, index);
        return this;
    }

    IrqInfoBody count(int vectors) {
        i32(COUNT, vectors);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x index=%d count=%d".formatted(argsz(), flags(), index(), count());
    }
}

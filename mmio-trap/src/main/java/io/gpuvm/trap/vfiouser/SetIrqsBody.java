package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Body of DEVICE_SET_IRQS. With [#DATA_BOOL], one byte per vector follows.
///
/// ```
///   0       4       8       12      16      20
///  +-------+-------+-------+-------+-------+---------
///  | argsz | flags | index | start | count | bytes ...
///  +-------+-------+-------+-------+-------+---------
/// ```
final class SetIrqsBody extends Flyweight {
    /// Length without the bytes per vector.
    static final int BYTES = 20;

    static final int DATA_NONE = 0x01;
    static final int DATA_BOOL = 0x02;
    static final int DATA_EVENTFD = 0x04;
    static final int DATA_TYPES = DATA_NONE | DATA_BOOL | DATA_EVENTFD;

    static final int ACTION_MASK = 0x08;
    static final int ACTION_UNMASK = 0x10;
    static final int ACTION_TRIGGER = 0x20;
    static final int ACTIONS = ACTION_MASK | ACTION_UNMASK | ACTION_TRIGGER;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int START = 12;
    private static final int COUNT = 16;

    SetIrqsBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    int flags() {
        return i32(FLAGS);
    }

    int dataType() {
        return flags() & DATA_TYPES;
    }

    int action() {
        return flags() & ACTIONS;
    }

    long index() {
        return u32(INDEX);
    }

    long start() {
        return u32(START);
    }

    long count() {
        return u32(COUNT);
    }

    /// Returns the byte for the vector `start + n` as a boolean.
    boolean chosen(long n) {
        return buffer().get(ValueLayout.JAVA_BYTE, base() + BYTES + n) != 0;
    }

    SetIrqsBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    SetIrqsBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    SetIrqsBody index(int index) {
        i32(INDEX, index);
        return this;
    }

    SetIrqsBody start(int vector) {
        i32(START, vector);
        return this;
    }

    SetIrqsBody count(int vectors) {
        i32(COUNT, vectors);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x index=%d start=%d count=%d"
                .formatted(argsz(), flags(), index(), start(), count());
    }
}

package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DEVICE_GET_INFO and of its reply.
///
/// ```
///   0       4       8       12      16
///  +-------+-------+-------+-------+
///  | argsz | flags |regions| irqs  |
///  +-------+-------+-------+-------+
/// ```
final class DeviceInfoBody extends Flyweight {
    static final int BYTES = 16;

    static final int RESETTABLE = 1;
    static final int PCI = 2;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int REGIONS = 8;
    private static final int IRQS = 12;

    DeviceInfoBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    int flags() {
        return i32(FLAGS);
    }

    /// Returns the number of region indexes.
    int regions() {
        return i32(REGIONS);
    }

    /// Returns the number of kinds of interrupts.
    int irqs() {
        return i32(IRQS);
    }

    DeviceInfoBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    DeviceInfoBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    DeviceInfoBody regions(int count) {
        i32(REGIONS, count);
        return this;
    }

    DeviceInfoBody irqs(int count) {
        i32(IRQS, count);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x regions=%d irqs=%d"
                .formatted(argsz(), flags(), regions(), irqs());
    }
}

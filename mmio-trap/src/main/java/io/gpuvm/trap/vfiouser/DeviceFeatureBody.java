package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DEVICE_FEATURE: the fields that all features share.
///
/// ```
///   0       4       8
///  +-------+-------+---------
///  | argsz | flags | data ...
///  +-------+-------+---------
/// ```
final class DeviceFeatureBody extends Flyweight {
    static final int BYTES = 8;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int FEATURE_MASK = 0xffff;

    DeviceFeatureBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    /// Returns the number of the feature; the other bits of the word select the operation.
    int feature() {
        return i32(FLAGS) & FEATURE_MASK;
    }

    DeviceFeatureBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    DeviceFeatureBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d feature=%d".formatted(argsz(), feature());
    }
}

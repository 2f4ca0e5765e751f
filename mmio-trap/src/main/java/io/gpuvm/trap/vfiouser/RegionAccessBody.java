package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of REGION_READ and REGION_WRITE, and of one write inside REGION_WRITE_MULTI.
///
/// ```
///   0               8       12      16
///  +---------------+-------+-------+----------
///  |    offset     |region | count | data ...
///  +---------------+-------+-------+----------
/// ```
final class RegionAccessBody extends Flyweight {
    /// Length without the data.
    static final int BYTES = 16;

    /// Offset of the data.
    static final int DATA = 16;

    /// Length of a write inside REGION_WRITE_MULTI, which has space for [#PACKED_DATA_BYTES].
    static final int PACKED_BYTES = 24;

    static final int PACKED_DATA_BYTES = 8;

    private static final int OFFSET = 0;
    private static final int REGION = 8;
    private static final int COUNT = 12;

    RegionAccessBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    /// Returns the offset, unsigned.
    long offset() {
        return u64(OFFSET);
    }

    long region() {
        return u32(REGION);
    }

    long count() {
        return u32(COUNT);
    }

    RegionAccessBody offset(long bytes) {
        u64(OFFSET, bytes);
        return this;
    }

    RegionAccessBody region(int index) {
        i32(REGION, index);
        return this;
    }

    RegionAccessBody count(int bytes) {
        i32(COUNT, bytes);
        return this;
    }

    @Override
    public String toString() {
        return "region=%d offset=%#x count=%d".formatted(region(), offset(), count());
    }
}

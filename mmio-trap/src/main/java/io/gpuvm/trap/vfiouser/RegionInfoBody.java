package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DEVICE_GET_REGION_INFO and of its reply, with the sparse-mmap capability after it.
///
/// ```
///   0       4       8       12      16              24              32
///  +-------+-------+-------+-------+---------------+---------------+
///  | argsz | flags | index |cap at |     size      |  file offset  |
///  +-------+-------+-------+-------+---------------+---------------+
///  |id |ver| next  | areas |   0   |  area offset  |  area size    | ...
///  +-------+-------+-------+-------+---------------+---------------+
/// ```
final class RegionInfoBody extends Flyweight {
    /// Length without the capability.
    static final int BYTES = 32;

    static final int READABLE = 1;
    static final int WRITABLE = 2;
    static final int MAPPABLE = 4;
    static final int HAS_CAPABILITIES = 8;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int CAP_OFFSET = 12;
    private static final int SIZE = 16;
    private static final int FILE_OFFSET = 24;

    private static final int SPARSE_MMAP = 1;
    private static final int SPARSE_MMAP_VERSION = 1;
    private static final int CAP_ID = BYTES;
    private static final int CAP_VERSION = BYTES + 2;
    private static final int CAP_NEXT = BYTES + 4;
    private static final int AREA_COUNT = BYTES + 8;
    private static final int RESERVED = BYTES + 12;
    private static final int AREAS = BYTES + 16;
    private static final int AREA_BYTES = 16;

    RegionInfoBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    /// Returns the length of a body that describes the given number of areas.
    static int bytesWith(int areas) {
        return areas == 0 ? BYTES : AREAS + areas * AREA_BYTES;
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

    int capOffset() {
        return i32(CAP_OFFSET);
    }

    long size() {
        return u64(SIZE);
    }

    long fileOffset() {
        return u64(FILE_OFFSET);
    }

    RegionInfoBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    RegionInfoBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    RegionInfoBody index(int index) {
        i32(INDEX, index);
        return this;
    }

    RegionInfoBody size(long bytes) {
        u64(SIZE, bytes);
        return this;
    }

    RegionInfoBody fileOffset(long bytes) {
        u64(FILE_OFFSET, bytes);
        return this;
    }

    /// Marks the body as having no capability.
    RegionInfoBody noCapability() {
        i32(CAP_OFFSET, 0);
        return this;
    }

    /// Adds the sparse-mmap capability; the caller then sets each area.
    RegionInfoBody sparseAreas(int count) {
        i32(CAP_OFFSET, BYTES);
        u16(CAP_ID, SPARSE_MMAP);
        u16(CAP_VERSION, SPARSE_MMAP_VERSION);
        i32(CAP_NEXT, 0);
        i32(AREA_COUNT, count);
        i32(RESERVED, 0);
        return this;
    }

    RegionInfoBody area(int area, long offset, long bytes) {
        u64(AREAS + (long) area * AREA_BYTES, offset);
        u64(AREAS + (long) area * AREA_BYTES + Long.BYTES, bytes);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x index=%d capOffset=%d size=%#x fileOffset=%#x"
                .formatted(argsz(), flags(), index(), capOffset(), size(), fileOffset());
    }
}

package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DMA_MAP.
///
/// ```
///   0       4       8               16              24              32
///  +-------+-------+---------------+---------------+---------------+
///  | argsz | flags |  file offset  | guest address |     size      |
///  +-------+-------+---------------+---------------+---------------+
/// ```
final class DmaMapBody extends Flyweight {
    static final int BYTES = 32;

    static final int READABLE = 1;
    static final int WRITABLE = 2;
    static final int BY_MMAP = 4;
    static final int BY_FILE_IO = 8;
    static final int ALL_FLAGS = READABLE | WRITABLE | BY_MMAP | BY_FILE_IO;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int FILE_OFFSET = 8;
    private static final int IOVA = 16;
    private static final int SIZE = 24;

    DmaMapBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    int flags() {
        return i32(FLAGS);
    }

    /// Returns the file offset, unsigned.
    long fileOffset() {
        return u64(FILE_OFFSET);
    }

    /// Returns the guest address, unsigned.
    long iova() {
        return u64(IOVA);
    }

    /// Returns the length, unsigned.
    long size() {
        return u64(SIZE);
    }

    DmaMapBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    DmaMapBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    DmaMapBody fileOffset(long bytes) {
        u64(FILE_OFFSET, bytes);
        return this;
    }

    DmaMapBody iova(long guestPhys) {
        u64(IOVA, guestPhys);
        return this;
    }

    DmaMapBody size(long bytes) {
        u64(SIZE, bytes);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x fileOffset=%#x iova=%#x size=%#x"
                .formatted(argsz(), flags(), fileOffset(), iova(), size());
    }
}

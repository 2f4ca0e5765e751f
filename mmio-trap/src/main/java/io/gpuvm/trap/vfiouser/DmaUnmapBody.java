package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Body of DMA_UNMAP and of its reply.
///
/// ```
///   0       4       8               16              24
///  +-------+-------+---------------+---------------+
///  | argsz | flags | guest address |     size      |
///  +-------+-------+---------------+---------------+
/// ```
final class DmaUnmapBody extends Flyweight {
    static final int BYTES = 24;

    static final int DIRTY_BITMAP = 1;
    static final int ALL = 2;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int IOVA = 8;
    private static final int SIZE = 16;

    DmaUnmapBody wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    long argsz() {
        return u32(ARGSZ);
    }

    int flags() {
        return i32(FLAGS);
    }

    /// Returns the guest address, unsigned.
    long iova() {
        return u64(IOVA);
    }

    /// Returns the length, unsigned.
    long size() {
        return u64(SIZE);
    }

    DmaUnmapBody argsz(int bytes) {
        i32(ARGSZ, bytes);
        return this;
    }

    DmaUnmapBody flags(int flags) {
        i32(FLAGS, flags);
        return this;
    }

    DmaUnmapBody iova(long guestPhys) {
        u64(IOVA, guestPhys);
        return this;
    }

    DmaUnmapBody size(long bytes) {
        u64(SIZE, bytes);
        return this;
    }

    @Override
    public String toString() {
        return "argsz=%d flags=%#x iova=%#x size=%#x".formatted(argsz(), flags(), iova(), size());
    }
}

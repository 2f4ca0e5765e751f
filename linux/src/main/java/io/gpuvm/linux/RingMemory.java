package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Memory of a ring of bytes, mapped twice in succession: a range that begins in the first mapping
/// and is at most as long as the ring is contiguous, even if it wraps around the ring's end.
///
/// Pages that have never been written occupy no memory. One thread at a time.
public final class RingMemory implements AutoCloseable {
    /// Unit of a ring's length: the size of a page on x86-64.
    public static final int PAGE_BYTES = 4096;

    private static final int PROT_NONE = 0x0;
    private static final int PROT_READ_WRITE = 0x3;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_PRIVATE = 0x02;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final long MAP_FAILED = -1;

    private final int bytes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final ByteBuffer buffer;

    @SuppressWarnings("restricted")
    private RingMemory(long start, int bytes) {
        this.bytes = bytes;
        segment =
                MemorySegment.ofAddress(start)
                        .reinterpret(2L * bytes, arena, _ -> Native.C.munmap(start, 2L * bytes));
        buffer = segment.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Creates a ring that reads as zeros.
    ///
    /// @param name shown in `/proc/PID/maps`, for diagnosis
    /// @param bytes length of the ring, a power of 2 from [#PAGE_BYTES] to 512 MiB
    public static RingMemory create(String name, int bytes) {
        if (bytes < PAGE_BYTES || Integer.bitCount(bytes) != 1 || bytes > 1 << 29) {
            throw new IllegalArgumentException(
                    "bytes=%d, expected a power of 2 from %d to %d"
                            .formatted(bytes, PAGE_BYTES, 1 << 29));
        }
        try (MemFd memory = MemFd.create(name, bytes)) {
            int reserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
            long start = Native.C.mmap(0, 2L * bytes, PROT_NONE, reserve, -1, 0, 0);
            if (start == MAP_FAILED) {
                throw Native.failure("mmap(%#x bytes)".formatted(2L * bytes));
            }
            for (int i = 0; i < 2; i++) {
                int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
                long at = start + (long) i * bytes;
                int descriptor = memory.descriptor();
                if (Native.C.mmap(at, bytes, PROT_READ_WRITE, flags, descriptor, 0, 0)
                        == MAP_FAILED) {
                    LinuxException refused =
                            Native.failure("mmap(descriptor %d, twice)".formatted(descriptor));
                    Native.C.munmap(start, 2L * bytes);
                    throw refused;
                }
            }
            return new RingMemory(start, bytes);
        }
    }

    /// Returns the length of the ring; the segment is twice as long.
    public int bytes() {
        return bytes;
    }

    /// Returns the offset in the first mapping of a position of an endless stream in the ring.
    public long offset(long position) {
        return position & (bytes - 1);
    }

    /// Returns both mappings.
    public MemorySegment segment() {
        return segment;
    }

    /// Returns both mappings as a buffer, whose limit and position callers set before each use.
    public ByteBuffer buffer() {
        return buffer;
    }

    /// Unmaps the memory. Only the first call has an effect.
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}

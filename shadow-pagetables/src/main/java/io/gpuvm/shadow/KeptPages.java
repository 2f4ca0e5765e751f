package io.gpuvm.shadow;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Room for copies of pages, outside of the Java heap: a memfd that takes memory only for pages
/// that were used. Confined to the VM's thread.
final class KeptPages implements AutoCloseable {
    /// What [#take] returns when all room is taken.
    static final int NONE = -1;

    private final String name;
    private final int capacity;

    /// Null before the first page is taken, and after the end.
    private MappedMemory mapping;

    /// Pages that came back.
    private int[] free = new int[16];

    private int freeCount;

    /// The first page that was never taken.
    private int end;

    /// @param name shown in `/proc/PID/maps`, for humans
    /// @param capacity in pages
    KeptPages(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    /// Takes room for a page; what it holds is undefined.
    ///
    /// @return its number
    int take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (end == capacity) {
            return NONE;
        }
        if (mapping == null) {
            mapping = map();
        }
        return end++;
    }

    /// Returns what [#take] gave.
    void giveBack(int page) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = page;
    }

    /// All of the room, page after page; only while some of it is taken.
    MemorySegment memory() {
        return mapping.segment();
    }

    /// How many pages are taken.
    int taken() {
        return end - freeCount;
    }

    @Override
    public void close() {
        if (mapping != null) {
            mapping.close();
            mapping = null;
        }
    }

    private MappedMemory map() {
        long bytes = (long) capacity << GuestReader.PAGE_SHIFT;
        try (MemFd file = MemFd.create(name, bytes)) {
            return MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
        }
    }
}

package io.gpuvm.shadow;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Memory for copies of pages, outside of the Java heap: a memfd that occupies memory only for
/// pages that have been used. Confined to the virtual machine's thread.
final class KeptPages implements AutoCloseable {
    /// Result of [#take] if all pages are in use.
    static final int NONE = -1;

    private final String name;
    private final int capacity;

    /// Memory of the pages; null until the first page is allocated, and after [#close].
    private MappedMemory mapping;

    /// Numbers of the released pages.
    private int[] free = new int[16];

    private int freeCount;

    /// Number of the first page that has never been allocated.
    private int end;

    /// @param name label in `/proc/PID/maps`, for debugging
    /// @param capacity limit in pages
    KeptPages(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    /// Allocates a page, whose content is undefined.
    ///
    /// @return number of the page, or [#NONE]
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

    /// Releases a page that [#take] has allocated.
    void giveBack(int page) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = page;
    }

    /// Returns the memory of all pages, in order. Called only while a page is allocated.
    MemorySegment memory() {
        return mapping.segment();
    }

    /// Returns the number of allocated pages.
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

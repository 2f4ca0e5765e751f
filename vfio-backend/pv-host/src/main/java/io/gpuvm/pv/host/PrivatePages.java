package io.gpuvm.pv.host;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.MappedMemory;

/// Allocator of a session's [PrivateMemory]. Confined to the poller.
final class PrivatePages {
    /// Result of [#take] if no range is long enough.
    static final long NONE = -1;

    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG_PAGE = PageSize.BIG_128K.bytes();

    private final MappedMemory mapping;
    private final FreeRanges free;
    private long freeBytes;

    /// End of the part that was ever allocated; the remainder reads as zeros.
    private long usedEnd;

    PrivatePages(PrivateMemory memory) {
        mapping = memory.mapping();
        freeBytes = memory.bytes();
        free = new FreeRanges(memory.bytes() / PAGE);
    }

    /// Returns the number of free bytes.
    long freeBytes() {
        return freeBytes;
    }

    /// Allocates a range that reads as zeros. A range of the length of a big page or more begins at
    /// the boundary of one.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return offset of the range, or [#NONE]
    long take(long bytes) {
        long first = free.take(bytes / PAGE, bytes < BIG_PAGE ? 1 : BIG_PAGE / PAGE);
        if (first < 0) {
            return NONE;
        }
        long offset = first * PAGE;
        freeBytes -= bytes;
        long used = Math.clamp(usedEnd - offset, 0, bytes);
        if (used > 0) {
            mapping.segment().asSlice(offset, used).fill((byte) 0);
        }
        usedEnd = Math.max(usedEnd, offset + bytes);
        return offset;
    }

    /// Returns a range as memory of the calling thread, which closes it.
    MappedMemory map(long offset, long bytes) {
        return mapping.ownPart(offset, bytes);
    }

    /// Releases a range from [#take].
    void giveBack(long offset, long bytes) {
        free.giveBack(offset / PAGE, bytes / PAGE);
        freeBytes += bytes;
    }
}

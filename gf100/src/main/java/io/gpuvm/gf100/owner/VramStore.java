package io.gpuvm.gf100.owner;

import io.gpuvm.gf100.mmu.PageSize;
import java.util.ArrayList;
import java.util.List;

/// Which pages of VRAM are free. As page tables join what lies apart, memory may come in several
/// pieces, and an allocation fails only if there is not as much left. One thread at a time.
public final class VramStore {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long PAGES_OF_BIG = PageSize.BIG_128K.bytes() / PAGE;

    private final FreeRanges free;
    private long freePages;

    /// @param vramBytes a multiple of 4 KiB, all of it free
    public VramStore(long vramBytes) {
        freePages = vramBytes / PAGE;
        free = new FreeRanges(freePages);
    }

    /// Takes memory, in as few pieces as there are.
    ///
    /// @param bytes a multiple of 4 KiB, more than 0
    /// @return empty if there is not as much left
    public List<Extent> take(long bytes) {
        if (bytes / PAGE > freePages) {
            return List.of();
        }
        List<Extent> extents = new ArrayList<>();
        long left = bytes / PAGE;
        freePages -= left;
        long pages = left;
        while (left > 0) {
            pages = Math.min(pages, left);
            long first = free.take(pages, pages >= PAGES_OF_BIG ? PAGES_OF_BIG : 1);
            if (first >= 0) {
                extents.add(new Extent(first * PAGE, pages * PAGE));
                left -= pages;
            } else {
                pages = Long.highestOneBit(pages - 1);
            }
        }
        return extents;
    }

    /// How much is free.
    public long freeBytes() {
        return freePages * PAGE;
    }

    /// Takes back what [#take] gave.
    public void giveBack(List<Extent> extents) {
        for (Extent extent : extents) {
            free.giveBack(extent.start() / PAGE, extent.bytes() / PAGE);
            freePages += extent.bytes() / PAGE;
        }
    }
}

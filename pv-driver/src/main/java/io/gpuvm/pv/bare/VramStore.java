package io.gpuvm.pv.bare;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.owner.FreeRanges;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.List;

/// Which pages of VRAM are free. As page tables join what lies apart, memory may come in several
/// pieces, and an allocation fails only if there is not as much left.
final class VramStore {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long PAGES_OF_BIG = PageSize.BIG_128K.bytes() / PAGE;

    private final FreeRanges free;
    private long freePages;

    VramStore(long vramBytes) {
        freePages = vramBytes / PAGE;
        free = new FreeRanges(freePages);
    }

    /// Takes memory, in as few pieces as there are.
    ///
    /// @param bytes a multiple of 4 KiB
    /// @throws TransportException if there is not as much left
    List<Extent> take(long bytes) {
        if (bytes / PAGE > freePages) {
            throw new TransportException(
                    "vram bytes=%d, limit=%d left".formatted(bytes, freePages * PAGE));
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

    /// Takes back what [#take] gave.
    void giveBack(List<Extent> extents) {
        for (Extent extent : extents) {
            free.giveBack(extent.start() / PAGE, extent.bytes() / PAGE);
            freePages += extent.bytes() / PAGE;
        }
    }
}

package io.gpuvm.gf100.owner;

import io.gpuvm.gf100.mmu.PageSize;
import java.util.ArrayList;
import java.util.List;

/// Which pages of VRAM are free. As page tables join what lies apart, memory may come in several
/// pieces, and an allocation fails only if there is not as much left. One thread at a time.
public final class VramStore {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long PAGES_OF_BIG = PageSize.BIG_128K.bytes() / PAGE;

    /// Free ranges to look at for one that is aligned. It is quicker with big pages, and that is
    /// all.
    private static final int LOOKS = 8;

    private final FreeRanges free;
    private long freePages;
    private int triedPieces;

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
        return take(bytes, Integer.MAX_VALUE);
    }

    /// Takes memory in a limited number of pieces, which bounds the time that this takes however
    /// what is free lies.
    ///
    /// @param bytes a multiple of 4 KiB, more than 0
    /// @param mostPieces at least 1
    /// @return empty if there is not as much left, or not in so few pieces
    public List<Extent> take(long bytes, int mostPieces) {
        long left = bytes / PAGE;
        triedPieces = 0;
        if (left > freePages) {
            return List.of();
        }
        List<Extent> extents = new ArrayList<>();
        while (left > 0) {
            // None of those that come is longer than the longest now.
            if (left > free.largest() * (mostPieces - extents.size())) {
                giveBack(extents);
                return List.of();
            }
            Extent piece = takePiece(left);
            extents.add(piece);
            triedPieces++;
            left -= piece.bytes() / PAGE;
        }
        return extents;
    }

    /// How many pieces the last [#take] has taken, also if it gave them back in the end.
    public int triedPieces() {
        return triedPieces;
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

    /// Takes what is wanted, or as much of it as there is in one piece: whole big pages if there
    /// are any, else small ones.
    private Extent takePiece(long wanted) {
        long most = Math.min(wanted, free.largest());
        if (most >= PAGES_OF_BIG) {
            long[] sizes = {most, most & -PAGES_OF_BIG, most - PAGES_OF_BIG + 1 & -PAGES_OF_BIG};
            for (long pages : sizes) {
                long first = pages == 0 ? -1 : free.take(pages, PAGES_OF_BIG, LOOKS);
                if (first >= 0) {
                    return taken(first, pages);
                }
            }
        }
        return taken(free.take(most), most);
    }

    private Extent taken(long first, long pages) {
        freePages -= pages;
        return new Extent(first * PAGE, pages * PAGE);
    }
}

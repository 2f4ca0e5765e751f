package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.mmu.PageSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Which pages of VRAM are free. As page tables join what lies apart, memory may come in several
/// pieces, and an allocation fails only if there is not as much left. One thread at a time.
public final class VramStore {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long PAGES_OF_BIG = PageSize.BIG_128K.bytes() / PAGE;

    /// Free ranges to look at for one that is aligned. It is quicker with big pages, and that is
    /// all.
    private static final int LOOKS = 8;

    private static final int FIRST_CAPACITY = 16;

    private final FreeRanges free;
    private long freePages;

    /// What the last take took: first pages, and numbers of pages.
    private long[] firsts = new long[FIRST_CAPACITY];

    private long[] counts = new long[FIRST_CAPACITY];
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
        int pieces = take(bytes, Integer.MAX_VALUE);
        List<Extent> extents = new ArrayList<>(pieces);
        for (int piece = 0; piece < pieces; piece++) {
            extents.add(new Extent(start(piece), bytes(piece)));
        }
        return extents;
    }

    /// Takes memory in a limited number of pieces, which bounds the time that this takes however
    /// what is free lies. Makes no garbage once it has taken as many.
    ///
    /// @param bytes a multiple of 4 KiB, more than 0
    /// @param mostPieces at least 1
    /// @return how many pieces, see [#start] and [#bytes]; 0 if there is not as much left, or not
    ///   in so few pieces
    public int take(long bytes, int mostPieces) {
        long left = bytes / PAGE;
        triedPieces = 0;
        if (left > freePages) {
            return 0;
        }
        while (left > 0) {
            // None of those that come is longer than the longest now.
            if (left > free.largest() * (mostPieces - triedPieces)) {
                for (int piece = 0; piece < triedPieces; piece++) {
                    giveBack(start(piece), bytes(piece));
                }
                return 0;
            }
            left -= takePiece(left);
        }
        return triedPieces;
    }

    /// Where a piece starts that the last [#take(long, int)] took, in bytes.
    ///
    /// @param piece less than what that returned
    public long start(int piece) {
        return firsts[piece] * PAGE;
    }

    /// How long it is, in bytes.
    ///
    /// @param piece less than what [#take(long, int)] returned
    public long bytes(int piece) {
        return counts[piece] * PAGE;
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
            giveBack(extent.start(), extent.bytes());
        }
    }

    /// Takes back one piece.
    public void giveBack(long start, long bytes) {
        free.giveBack(start / PAGE, bytes / PAGE);
        freePages += bytes / PAGE;
    }

    /// Takes what is wanted, or as much of it as there is in one piece: whole big pages if there
    /// are any, else small ones.
    ///
    /// @return how many pages
    private long takePiece(long wanted) {
        long most = Math.min(wanted, free.largest());
        if (most >= PAGES_OF_BIG
                && (takeBig(most)
                        || takeBig(most & -PAGES_OF_BIG)
                        || takeBig(most - PAGES_OF_BIG + 1 & -PAGES_OF_BIG))) {
            return counts[triedPieces - 1];
        }
        took(free.take(most), most);
        return most;
    }

    /// Takes pages that start as a big page does.
    private boolean takeBig(long pages) {
        long first = pages == 0 ? -1 : free.take(pages, PAGES_OF_BIG, LOOKS);
        if (first < 0) {
            return false;
        }
        took(first, pages);
        return true;
    }

    private void took(long first, long pages) {
        if (triedPieces == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * triedPieces);
            counts = Arrays.copyOf(counts, 2 * triedPieces);
        }
        firsts[triedPieces] = first;
        counts[triedPieces] = pages;
        triedPieces++;
        freePages -= pages;
    }
}

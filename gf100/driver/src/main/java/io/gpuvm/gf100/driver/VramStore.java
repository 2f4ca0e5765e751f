package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.mmu.PageSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Allocator of pages of VRAM. Page tables can join separate extents, so an allocation may consist
/// of several extents and fails only if the total free memory is insufficient. One thread at a
/// time.
public final class VramStore {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long PAGES_OF_BIG = PageSize.BIG_128K.bytes() / PAGE;

    /// Number of free ranges to examine for an aligned range. A small number suffices, because big
    /// pages only improve speed.
    private static final int LOOKS = 8;

    private static final int FIRST_CAPACITY = 16;

    private final FreeRanges free;
    private long freePages;

    /// First pages of the extents of the last allocation.
    private long[] firsts = new long[FIRST_CAPACITY];

    /// Numbers of pages of the extents of the last allocation.
    private long[] counts = new long[FIRST_CAPACITY];

    private int triedPieces;

    /// @param vramBytes size of VRAM, a multiple of 4 KiB; initially, all of it is free
    public VramStore(long vramBytes) {
        this(List.of(new Extent(0, vramBytes)));
    }

    /// @param parts parts of VRAM that are free initially, with multiples of 4 KiB; the rest
    ///   belongs to others
    public VramStore(List<Extent> parts) {
        free = new FreeRanges();
        for (Extent part : parts) {
            giveBack(part.start(), part.bytes());
        }
    }

    /// Allocates memory, in any number of extents.
    ///
    /// @param bytes length, a multiple of 4 KiB, greater than 0
    /// @return extents; empty if the free memory is insufficient
    public List<Extent> take(long bytes) {
        int pieces = take(bytes, Integer.MAX_VALUE);
        List<Extent> extents = new ArrayList<>(pieces);
        for (int piece = 0; piece < pieces; piece++) {
            extents.add(new Extent(start(piece), bytes(piece)));
        }
        return extents;
    }

    /// Allocates memory in a limited number of extents, which limits the duration of the call for
    /// any distribution of free memory. Creates no garbage unless the number of extents exceeds the
    /// previous maximum.
    ///
    /// @param bytes length, a multiple of 4 KiB, greater than 0
    /// @param mostPieces maximum number of extents, at least 1
    /// @return number of extents, see [#start] and [#bytes]; 0 if the free memory is insufficient,
    ///   or too fragmented
    public int take(long bytes, int mostPieces) {
        long left = bytes / PAGE;
        triedPieces = 0;
        if (left > freePages) {
            return 0;
        }
        while (left > 0) {
            // No remaining extent is longer than the largest free range.
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

    /// Returns the start in bytes of an extent of the last [#take(long, int)].
    ///
    /// @param piece index, below the result of that call
    public long start(int piece) {
        return firsts[piece] * PAGE;
    }

    /// Returns the length in bytes of an extent of the last [#take(long, int)].
    ///
    /// @param piece index, below the result of that call
    public long bytes(int piece) {
        return counts[piece] * PAGE;
    }

    /// Returns the number of extents that the last [#take] allocated, including extents that a
    /// failed call has released.
    public int triedPieces() {
        return triedPieces;
    }

    /// Returns the number of free bytes.
    public long freeBytes() {
        return freePages * PAGE;
    }

    /// Releases the extents of [#take].
    public void giveBack(List<Extent> extents) {
        for (Extent extent : extents) {
            giveBack(extent.start(), extent.bytes());
        }
    }

    /// Releases one extent.
    public void giveBack(long start, long bytes) {
        free.giveBack(start / PAGE, bytes / PAGE);
        freePages += bytes / PAGE;
    }

    /// Allocates one extent: the wanted pages, or as many of them as are contiguous. Prefers an
    /// extent that starts at the boundary of a big page and contains at least one big page, even if
    /// this extent is shorter.
    ///
    /// @return number of pages
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

    /// Allocates pages that start at the boundary of a big page.
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

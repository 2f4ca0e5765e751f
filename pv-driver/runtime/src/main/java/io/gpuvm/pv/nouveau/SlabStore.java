package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.List;

/// Allocator of pieces of memory in a few buffers, because every submission lists all buffers.
/// Small pieces share a buffer; a large piece has a separate buffer. One thread at a time.
final class SlabStore {
    /// Source of buffers.
    interface Source {
        /// Creates a buffer.
        ///
        /// @throws TransportException if not enough memory remains; the message names the remainder
        GemBuffer create(long bytes);

        /// Releases a buffer that contains no pieces.
        void release(GemBuffer buffer);
    }

    /// Buffer that contains pieces.
    static final class Slab {
        private final GemBuffer buffer;
        private final FreeRanges free;
        private long freePages;

        private Slab(GemBuffer buffer) {
            this.buffer = buffer;
            freePages = buffer.bytes() / PAGE;
            free = new FreeRanges(freePages);
        }

        GemBuffer buffer() {
            return buffer;
        }

        private Piece allocate(long bytes) {
            long pages = bytes / PAGE;
            long first = free.take(pages);
            if (first < 0) {
                return null;
            }
            freePages -= pages;
            return new Piece(this, first * PAGE, bytes);
        }

        private void release(Piece piece) {
            long pages = piece.bytes / PAGE;
            free.giveBack(piece.offset / PAGE, pages);
            freePages += pages;
        }

        /// Returns whether a piece of the given length fits into the empty buffer and uses more
        /// than half of it.
        private boolean suits(long bytes) {
            return buffer.bytes() / 2 < bytes && bytes <= buffer.bytes();
        }

        private boolean isEmpty() {
            return freePages * PAGE == buffer.bytes();
        }
    }

    /// Allocated memory.
    ///
    /// @param offset start in the slab's buffer
    /// @param bytes length, a multiple of 4 KiB
    record Piece(Slab slab, long offset, long bytes) {
        long gpuVa() {
            return slab.buffer.gpuVa() + offset;
        }
    }

    private static final long PAGE = PageSize.SMALL_4K.bytes();

    /// Page size of nouveau for larger buffers.
    private static final long BIG_PAGE = PageSize.BIG_128K.bytes();

    /// Ratio of a slab's size to the minimum size of a piece with a separate buffer.
    private static final int LARGE_DIVISOR = 4;

    private final Source source;
    private final long slabBytes;
    private final long retainedLimit;
    private final List<Slab> slabs = new ArrayList<>();

    /// @param slabBytes size of a shared buffer, a multiple of 128 KiB
    /// @param retainedLimit maximum total length of empty buffers that are retained for later
    ///   pieces, because the creation of a buffer takes much longer than the allocation of a piece
    SlabStore(Source source, long slabBytes, long retainedLimit) {
        this.source = source;
        this.slabBytes = slabBytes;
        this.retainedLimit = retainedLimit;
    }

    /// Allocates memory.
    ///
    /// @param bytes length, rounded up to whole pages
    /// @throws TransportException if not enough memory remains; the message names the remainder
    Piece allocate(long bytes) {
        long rounded = Pages.roundUp(bytes, PAGE);
        boolean large = rounded >= slabBytes / LARGE_DIVISOR;
        for (Slab slab : slabs) {
            Piece piece =
                    !large || slab.isEmpty() && slab.suits(rounded) ? slab.allocate(rounded) : null;
            if (piece != null) {
                return piece;
            }
        }
        try {
            return allocateFromNew(rounded, large ? rounded : slabBytes);
        } catch (TransportException e) {
            // A smaller buffer may fit, or the memory of empty buffers.
            if (!releaseEmpty() && large) {
                throw e;
            }
            return allocateFromNew(rounded, rounded);
        }
    }

    private Piece allocateFromNew(long bytes, long bufferBytes) {
        Slab slab = new Slab(source.create(Pages.roundUp(bufferBytes, BIG_PAGE)));
        slabs.add(slab);
        return slab.allocate(bytes);
    }

    /// Releases a piece that the GPU no longer uses.
    void release(Piece piece) {
        Slab slab = piece.slab;
        slab.release(piece);
        if (slab.isEmpty() && retained() > retainedLimit) {
            discard(slab);
        }
    }

    /// Returns the total length of empty buffers.
    long retained() {
        return slabs.stream().filter(Slab::isEmpty).mapToLong(slab -> slab.buffer.bytes()).sum();
    }

    /// Releases all empty buffers.
    ///
    /// @return whether there was an empty buffer
    private boolean releaseEmpty() {
        List<Slab> empty = slabs.stream().filter(Slab::isEmpty).toList();
        empty.forEach(this::discard);
        return !empty.isEmpty();
    }

    private void discard(Slab slab) {
        slabs.remove(slab);
        source.release(slab.buffer);
    }
}

package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.pv.transport.GpuMemory;
import java.util.ArrayList;
import java.util.List;

/// Heap of VRAM: small pieces share a slab, so that they need neither a page each nor a change of
/// page tables. Any thread.
final class VramHeap {
    /// Alignment of addresses, which constant buffers require and CUDA guarantees.
    static final int ALIGNMENT_BYTES = 256;

    /// Minimum size of pieces that are allocated directly from the transport.
    private static final long SMALL_LIMIT_BYTES = 1 << 18;

    private static final long SLAB_BYTES = 1 << 21;

    private static final class Slab {
        private final GpuMemory memory;

        /// Free ranges, in bytes from the start of the memory.
        private final FreeRanges free = new FreeRanges(SLAB_BYTES);

        private long freeBytes = SLAB_BYTES;

        Slab(GpuMemory memory) {
            this.memory = memory;
        }

        long take(long bytes) {
            long offset = free.take(bytes);
            if (offset >= 0) {
                freeBytes -= bytes;
            }
            return offset;
        }

        void giveBack(long offset, long bytes) {
            free.giveBack(offset, bytes);
            freeBytes += bytes;
        }

        boolean isEmpty() {
            return freeBytes == SLAB_BYTES;
        }
    }

    private record Piece(Slab slab, long offset, long bytes) {}

    /// Source of whole pages.
    @FunctionalInterface
    interface Source {
        /// @throws io.gpuvm.pv.transport.TransportException if not enough VRAM is left
        GpuMemory allocate(long bytes);
    }

    private final Source source;
    private final List<Slab> slabs = new ArrayList<>();

    VramHeap(Source source) {
        this.source = source;
    }

    /// Returns the number of free bytes in slabs.
    synchronized long freeBytes() {
        long bytes = 0;
        for (Slab slab : slabs) {
            bytes += slab.freeBytes;
        }
        return bytes;
    }

    /// Piece returned by [#take].
    ///
    /// @param gpuVa GPU address of the piece
    /// @param release releases the piece; called once
    record Taken(long gpuVa, Runnable release) {}

    /// @param bytes length, at least 1
    /// @throws io.gpuvm.pv.transport.TransportException if not enough VRAM is left
    Taken take(long bytes) {
        if (bytes >= SMALL_LIMIT_BYTES) {
            return takePages(bytes);
        }
        Piece piece = takeSmall((bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES);
        return new Taken(piece.slab.memory.gpuVa() + piece.offset, () -> giveBack(piece));
    }

    /// Allocates whole pages.
    ///
    /// @param bytes length, at least 1
    /// @throws io.gpuvm.pv.transport.TransportException if not enough VRAM is left
    Taken takePages(long bytes) {
        GpuMemory memory = source.allocate(bytes);
        return new Taken(memory.gpuVa(), memory::close);
    }

    private synchronized Piece takeSmall(long bytes) {
        for (Slab slab : slabs) {
            long offset = slab.take(bytes);
            if (offset >= 0) {
                return new Piece(slab, offset, bytes);
            }
        }
        Slab slab = new Slab(source.allocate(SLAB_BYTES));
        slabs.add(slab);
        return new Piece(slab, slab.take(bytes), bytes);
    }

    /// Releases a piece. One empty slab is retained for later pieces.
    private synchronized void giveBack(Piece piece) {
        Slab slab = piece.slab;
        slab.giveBack(piece.offset, piece.bytes);
        if (slab.isEmpty() && slabs.stream().filter(Slab::isEmpty).count() > 1) {
            slabs.remove(slab);
            slab.memory.close();
        }
    }
}

package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
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

    /// @param free free ranges, in bytes from the start of `memory`
    private record Slab(GpuMemory memory, FreeRanges free) {}

    private record Piece(Slab slab, long offset, long bytes) {}

    private final GpuTransport transport;
    private final List<Slab> slabs = new ArrayList<>();

    VramHeap(GpuTransport transport) {
        this.transport = transport;
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
        GpuMemory memory = transport.allocateVram(bytes);
        return new Taken(memory.gpuVa(), memory::close);
    }

    private synchronized Piece takeSmall(long bytes) {
        for (Slab slab : slabs) {
            long offset = slab.free.take(bytes);
            if (offset >= 0) {
                return new Piece(slab, offset, bytes);
            }
        }
        Slab slab = new Slab(transport.allocateVram(SLAB_BYTES), new FreeRanges(SLAB_BYTES));
        slabs.add(slab);
        return new Piece(slab, slab.free.take(bytes), bytes);
    }

    /// Releases a piece. One empty slab is retained for later pieces.
    private synchronized void giveBack(Piece piece) {
        Slab slab = piece.slab;
        slab.free.giveBack(piece.offset, piece.bytes);
        if (isEmpty(slab) && slabs.stream().filter(VramHeap::isEmpty).count() > 1) {
            slabs.remove(slab);
            slab.memory.close();
        }
    }

    private static boolean isEmpty(Slab slab) {
        return slab.free.largest() == SLAB_BYTES;
    }
}

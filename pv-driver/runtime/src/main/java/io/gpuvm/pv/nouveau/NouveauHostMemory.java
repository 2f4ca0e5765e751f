package io.gpuvm.pv.nouveau;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// Allocated host memory.
final class NouveauHostMemory implements HostMemory {
    private final NouveauTransport transport;
    private final SlabStore.Piece piece;
    private final MappedMemory mapping;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param mapping mapping of the piece; closed by the transport
    NouveauHostMemory(NouveauTransport transport, SlabStore.Piece piece, MappedMemory mapping) {
        this.transport = transport;
        this.piece = piece;
        this.mapping = mapping;
    }

    @Override
    public long gpuVa() {
        return piece.gpuVa();
    }

    @Override
    public long bytes() {
        return piece.bytes();
    }

    @Override
    public MemorySegment segment() {
        return mapping.segment();
    }

    SlabStore.Piece piece() {
        return piece;
    }

    MappedMemory mapping() {
        return mapping;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            transport.close(this);
        }
    }

    @Override
    public String toString() {
        return "host memory at gpuVa=%#x, bytes=%d".formatted(gpuVa(), bytes());
    }
}

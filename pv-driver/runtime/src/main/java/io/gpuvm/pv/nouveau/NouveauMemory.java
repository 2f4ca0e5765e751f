package io.gpuvm.pv.nouveau;

import io.gpuvm.pv.transport.GpuMemory;
import java.util.concurrent.atomic.AtomicBoolean;

/// Allocated VRAM.
final class NouveauMemory implements GpuMemory {
    private final NouveauTransport transport;
    private final SlabStore.Piece piece;
    private final AtomicBoolean closed = new AtomicBoolean();

    NouveauMemory(NouveauTransport transport, SlabStore.Piece piece) {
        this.transport = transport;
        this.piece = piece;
    }

    @Override
    public long gpuVa() {
        return piece.gpuVa();
    }

    @Override
    public long bytes() {
        return piece.bytes();
    }

    SlabStore.Piece piece() {
        return piece;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            transport.close(this);
        }
    }

    @Override
    public String toString() {
        return "VRAM at gpuVa=%#x, bytes=%d".formatted(gpuVa(), bytes());
    }
}

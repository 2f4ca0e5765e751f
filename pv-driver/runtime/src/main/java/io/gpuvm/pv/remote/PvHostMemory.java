package io.gpuvm.pv.remote;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// Piece of the data area that the GPU can access.
final class PvHostMemory implements HostMemory {
    private final PvTransport transport;
    private final long gpuVa;
    private final DataPiece piece;
    private final AtomicBoolean closed = new AtomicBoolean();

    PvHostMemory(PvTransport transport, long gpuVa, DataPiece piece) {
        this.transport = transport;
        this.gpuVa = gpuVa;
        this.piece = piece;
    }

    @Override
    public long gpuVa() {
        return gpuVa;
    }

    @Override
    public long bytes() {
        return piece.bytes();
    }

    @Override
    public MemorySegment segment() {
        return piece.segment();
    }

    @Override
    public void declareFence(long offset) {
        transport.declareFence(this, offset);
    }

    DataPiece piece() {
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
        return "host memory at gpuVa=%#x, bytes=%d".formatted(gpuVa, bytes());
    }
}

package io.gpuvm.pv.bare;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Host memory that the GPU can access.
final class NativeHostMemory implements HostMemory {
    private final NativeTransport transport;
    private final long gpuVa;
    private final HostPiece piece;

    /// True until [#end]. Guarded by the lock of the transport.
    private boolean open = true;

    NativeHostMemory(NativeTransport transport, long gpuVa, HostPiece piece) {
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
    public void close() {
        transport.close(this);
    }

    HostPiece piece() {
        return piece;
    }

    /// Marks the memory as closed.
    ///
    /// @return whether the memory was open
    boolean end() {
        boolean was = open;
        open = false;
        return was;
    }

    @Override
    public String toString() {
        return "host memory at gpuVa=%#x, bytes=%d".formatted(gpuVa, bytes());
    }
}

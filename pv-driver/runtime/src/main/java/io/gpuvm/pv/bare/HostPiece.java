package io.gpuvm.pv.bare;

import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;

/// Pages of host memory that the GPU can access; see [HostStore].
final class HostPiece {
    private final HostChunk chunk;
    private final long offset;
    private final long bytes;
    private final MappedMemory mapping;

    HostPiece(HostChunk chunk, long offset, long bytes) {
        this.chunk = chunk;
        this.offset = offset;
        this.bytes = bytes;
        this.mapping =
                MappedMemory.map(chunk.descriptor(), offset, bytes, MappedMemory.Access.READ_WRITE);
    }

    /// Returns the bus address of the piece.
    long iova() {
        return chunk.iova() + offset;
    }

    long bytes() {
        return bytes;
    }

    /// Returns the whole piece as a segment for any thread.
    MemorySegment segment() {
        return mapping.segment();
    }

    HostChunk chunk() {
        return chunk;
    }

    /// Returns the offset of the piece in its chunk.
    long offset() {
        return offset;
    }

    /// Ends access from this process.
    void unmap() {
        mapping.close();
    }
}

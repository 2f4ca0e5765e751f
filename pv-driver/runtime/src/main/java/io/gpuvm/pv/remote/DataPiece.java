package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;

/// Some pages of the [DataArea], mapped on their own so that an access after the end is an error.
final class DataPiece {
    private final long offset;
    private final long usedBytes;
    private final MappedMemory mapping;

    /// @param offset where it starts in the data area
    /// @param usedBytes how much of its start somebody had before
    DataPiece(long offset, long usedBytes, MappedMemory mapping) {
        this.offset = offset;
        this.usedBytes = usedBytes;
        this.mapping = mapping;
    }

    /// Makes it read as zeros, as it does where nobody had it before.
    void zero() {
        mapping.segment().asSlice(0, usedBytes).fill((byte) 0);
    }

    long offset() {
        return offset;
    }

    long bytes() {
        return mapping.segment().byteSize();
    }

    /// All of it, for any thread.
    MemorySegment segment() {
        return mapping.segment();
    }

    /// Ends access from this process.
    void unmap() {
        mapping.close();
    }
}

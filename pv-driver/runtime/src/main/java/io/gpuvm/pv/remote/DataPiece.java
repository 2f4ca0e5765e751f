package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;

/// Pages of the [DataArea] with a separate mapping, so that an access after the release is an
/// error.
final class DataPiece {
    private final long offset;
    private final long usedBytes;
    private final MappedMemory mapping;

    /// @param offset offset in the data area
    /// @param usedBytes length of the leading part that was allocated before
    DataPiece(long offset, long usedBytes, MappedMemory mapping) {
        this.offset = offset;
        this.usedBytes = usedBytes;
        this.mapping = mapping;
    }

    /// Zeroes the part that was allocated before; the remainder already reads as zeros.
    void zero() {
        mapping.segment().asSlice(0, usedBytes).fill((byte) 0);
    }

    long offset() {
        return offset;
    }

    long bytes() {
        return mapping.segment().byteSize();
    }

    /// Returns the whole piece as a segment for any thread.
    MemorySegment segment() {
        return mapping.segment();
    }

    /// Ends access from this process.
    void unmap() {
        mapping.close();
    }
}

package io.gpuvm.cuda.service.session;

import java.lang.foreign.MemorySegment;

/// Data area of a session, whose ranges calls name.
final class DataArea {
    private final MemorySegment memory;
    private final MemorySegment none;

    /// @param memory memory of the data area, which the client may change at any time
    DataArea(MemorySegment memory) {
        this.memory = memory;
        none = memory.asSlice(0, 0);
    }

    /// Returns the length in bytes.
    long bytes() {
        return memory.byteSize();
    }

    /// Returns whether a range lies in the data area.
    ///
    /// @param offset offset of the range, unsigned
    /// @param length length of the range, unsigned
    boolean contains(long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= bytes() - length;
    }

    /// Returns a range, for which [#contains] is true.
    MemorySegment range(long offset, long length) {
        return memory.asSlice(offset, length);
    }

    /// Returns an empty range.
    MemorySegment none() {
        return none;
    }

    /// Copies a range, for which [#contains] is true, to the start of private memory.
    void copy(long offset, MemorySegment target, long length) {
        MemorySegment.copy(memory, offset, target, 0, length);
    }
}

package io.gpuvm.remote.session;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Data area of one end of a paravirtual session, and its *twin*: private memory with the words on
/// which both ends agree. A word that differs from its twin has changed here, and has not been
/// sent.
///
/// Program or GPU may write to the data area at any time. The twin occupies as much memory as the
/// pages that have been compared or received.
final class AreaTwin implements AutoCloseable {
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment data;
    private final MappedMemory mapping;
    private final MemorySegment twin;

    /// @param data data area, which initially has the same content at both ends: zeros
    /// @throws LinuxException if Linux refuses the memory
    AreaTwin(MemorySegment data) {
        this.data = data;
        try (MemFd file = MemFd.create("gpuvm-twin", data.byteSize())) {
            mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, data.byteSize(), MappedMemory.Access.READ_WRITE);
        }
        twin = mapping.segment();
    }

    /// Returns the length in bytes.
    long bytes() {
        return data.byteSize();
    }

    /// Returns whether words are aligned and lie in the data area. Any numbers are allowed.
    boolean contains(long offset, long bytes) {
        return offset >= 0
                && bytes > 0
                && (offset | bytes) % Integer.BYTES == 0
                && bytes <= data.byteSize()
                && offset <= data.byteSize() - bytes;
    }

    /// Returns the offset of the first word from `start` on that has changed, or `end`.
    long nextChange(long start, long end) {
        long at = MemorySegment.mismatch(data, start, end, twin, start, end);
        return at < 0 ? end : start + at & -Integer.BYTES;
    }

    /// Reads a word of the data area, with acquire semantics.
    int read(long offset) {
        return (int) WORD.getAcquire(data, offset);
    }

    /// Returns the word on which both ends agree.
    int agreed(long offset) {
        return twin.get(WireType.U32, offset);
    }

    /// Sets the word on which both ends agree, which the caller sends.
    void agree(long offset, int word) {
        twin.set(WireType.U32, offset, word);
    }

    /// Stores words that the peer has sent.
    void store(MemorySegment from, long at, long offset, long bytes) {
        MemorySegment.copy(from, at, data, offset, bytes);
        MemorySegment.copy(from, at, twin, offset, bytes);
    }

    /// Stores a word that the peer has sent, with release semantics.
    void store(long offset, int word) {
        twin.set(WireType.U32, offset, word);
        WORD.setRelease(data, offset, word);
    }

    @Override
    public void close() {
        mapping.close();
    }
}

package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Memory of this process that can be mapped for a GPU, in whole or in part.
///
/// Words are read and written with the memory ordering that a ring or a semaphore needs.
final class DmaBuffer implements AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final MemFd file;
    private final MappedMemory mapping;
    private final long bytes;

    private DmaBuffer(MemFd file, long bytes) {
        this.file = file;
        this.bytes = bytes;
        this.mapping =
                MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
    }

    /// Allocates zeroed memory.
    static DmaBuffer create(long bytes) {
        return of(MemFd.create("gpuvm-conformance", bytes), bytes);
    }

    /// Maps the first bytes of a file, which is closed with this object.
    static DmaBuffer of(MemFd file, long bytes) {
        try {
            return new DmaBuffer(file, bytes);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    int descriptor() {
        return file.descriptor();
    }

    long bytes() {
        return bytes;
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    /// Returns a mapping of all of the memory, writable by the GPU.
    DmaMapping at(long iova) {
        return part(0, bytes, iova);
    }

    /// Returns a mapping of a part of the memory, writable by the GPU.
    DmaMapping part(long offset, long partBytes, long iova) {
        return new DmaMapping(descriptor(), offset, partBytes, iova, true);
    }

    int word(long offset) {
        return (int) WORD.getAcquire(segment(), offset);
    }

    void word(long offset, int value) {
        WORD.setRelease(segment(), offset, value);
    }

    long quad(long offset) {
        return segment().get(ValueLayout.JAVA_LONG, offset);
    }

    void quad(long offset, long value) {
        segment().set(ValueLayout.JAVA_LONG, offset, value);
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}

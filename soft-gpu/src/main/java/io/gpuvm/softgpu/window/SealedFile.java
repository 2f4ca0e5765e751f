package io.gpuvm.softgpu.window;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// Memory that another process can map but neither truncate nor extend; initially zero.
final class SealedFile implements AutoCloseable {
    private final MemFd file;
    private final MappedMemory mapping;

    private SealedFile(MemFd file, long bytes) {
        this.file = file;
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
        mapping = MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
    }

    /// @param bytes length, a multiple of the page size, more than 0
    /// @throws LinuxException if Linux cannot create or map the file
    static SealedFile create(long bytes) {
        MemFd file = MemFd.create("gpuvm-window", bytes);
        try {
            return new SealedFile(file, bytes);
        } catch (LinuxException e) {
            file.close();
            throw e;
        }
    }

    int descriptor() {
        return file.descriptor();
    }

    MemorySegment memory() {
        return mapping.segment();
    }

    /// Zeroes the memory and returns its pages to the system.
    void clear() {
        file.punchHole(0, mapping.segment().byteSize());
    }

    /// Releases the memory even if another process keeps the descriptor open.
    @Override
    public void close() {
        try {
            clear();
        } finally {
            mapping.close();
            file.close();
        }
    }
}

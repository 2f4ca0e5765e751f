package io.gpuvm.softgpu.memory;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// The GPU's own memory: a memfd mapped once, sparse, so that pages nobody touched cost nothing.
///
/// Shared memory with the hardware's (weak) rules: any thread may access [#memory()]. The file is
/// sealed at its size, so that a process that maps a part of it cannot cut it off under the GPU.
public final class Vram implements AutoCloseable {
    private final long bytes;
    private final MemFd file;
    private final MappedMemory mapping;

    /// @param bytes size, a multiple of 1 MiB
    public Vram(long bytes) {
        this.bytes = bytes;
        file = MemFd.create("gpuvm-vram", bytes);
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
        mapping = MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
    }

    /// Size in bytes.
    public long bytes() {
        return bytes;
    }

    /// All of it.
    public MemorySegment memory() {
        return mapping.segment();
    }

    /// The memfd, owned by this object.
    public int descriptor() {
        return file.descriptor();
    }

    /// Zeroes everything and gives the pages back to the system.
    public void clear() {
        clear(0, bytes);
    }

    /// Zeroes a part and gives its pages back to the system.
    public void clear(long offset, long length) {
        file.punchHole(offset, length);
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}

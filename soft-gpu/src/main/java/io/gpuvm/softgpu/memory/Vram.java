package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// The GPU's own memory: a memfd mapped once, sparse, so that pages nobody touched cost nothing.
///
/// Pages that another process is to see live in other files meanwhile: no process but this one maps
/// VRAM's own.
///
/// Shared memory with the hardware's (weak) rules: any thread may access [#pages()]. The file is
/// sealed at its size, as every file is that the GPU stands on.
public final class Vram implements AutoCloseable {
    private final long bytes;
    private final MemFd file;
    private final MappedMemory mapping;
    private final VramHomes homes;

    /// @param bytes size, a multiple of 1 MiB
    public Vram(long bytes) {
        this.bytes = bytes;
        file = MemFd.create("gpuvm-vram", bytes);
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
        mapping = MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
        homes = new VramHomes(mapping.segment());
    }

    /// Size in bytes.
    public long bytes() {
        return bytes;
    }

    /// All of it, but for pages that live elsewhere.
    public MemorySegment memory() {
        return mapping.segment();
    }

    /// All of it, wherever its pages live.
    public VramPages pages() {
        return homes.pages();
    }

    /// Where its pages live. For who moves them.
    public VramHomes homes() {
        return homes;
    }

    /// The memfd, owned by this object.
    public int descriptor() {
        return file.descriptor();
    }

    /// Zeroes everything and gives the pages back to the system.
    public void clear() {
        clear(0, bytes);
    }

    /// Zeroes a part, and gives its pages back to the system if they do not live elsewhere.
    public void clear(long offset, long length) {
        file.punchHole(offset, length);
        pages().clearAway(offset, length);
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}

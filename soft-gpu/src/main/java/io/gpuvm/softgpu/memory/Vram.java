package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// VRAM of the GPU: a sparse memfd, mapped once; untouched pages use no memory.
///
/// While another process can access a page, the page is in another file: only this process maps the
/// VRAM's own file.
///
/// Any thread may access [#pages()], with the hardware's (weak) memory ordering. The file is sealed
/// at its size.
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

    /// Returns the size in bytes.
    public long bytes() {
        return bytes;
    }

    /// Returns the whole memory, except pages that are in other files.
    public MemorySegment memory() {
        return mapping.segment();
    }

    /// Returns the whole memory, including pages that are in other files.
    public VramPages pages() {
        return homes.pages();
    }

    /// Returns the current locations of the pages, for code that moves pages.
    public VramHomes homes() {
        return homes;
    }

    /// Returns the descriptor of the memfd, owned by this object.
    public int descriptor() {
        return file.descriptor();
    }

    /// Zeroes the whole memory and returns its pages to the system.
    public void clear() {
        clear(0, bytes);
    }

    /// Zeroes a range, and returns its pages to the system unless they are in other files.
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

package io.gpuvm.port;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.PageSize;

/// Kind of a piece of a [VmArena].
///
/// A piece never changes its kind. Until its translations have been flushed, hardware may follow an
/// old pointer; it then finds a structure of the expected kind, with checked content only.
public enum ArenaBlock {
    DIRECTORY(VmArena.GEOMETRY.directoryBytes()),
    SMALL_TABLE(VmArena.GEOMETRY.tableBytes(PageSize.SMALL_4K)),
    BIG_TABLE(VmArena.GEOMETRY.tableBytes(VmArena.GEOMETRY.bigPage())),
    INSTANCE(InstanceBlock.BYTES),
    USERD(Userd.BYTES);

    private final long bytes;

    ArenaBlock(long bytes) {
        this.bytes = bytes;
    }

    /// Returns the size in bytes, a multiple of 4 KiB.
    public long bytes() {
        return bytes;
    }
}

package io.gpuvm.port;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.PageSize;

/// What a piece of a [VmArena] is for.
///
/// A piece never changes its kind. Hardware may follow an old pointer until it has been told to
/// flush, and finds at its end then what it expects there, and only checked contents.
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

    /// Size in bytes, a multiple of 4 KiB.
    public long bytes() {
        return bytes;
    }
}

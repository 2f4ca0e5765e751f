package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/// Host memory for one virtual machine's shadow directories, tables, instance blocks and USERD
/// pages: a memfd whose length is the virtual machine's quota, at a bus address outside every
/// guest's addresses.
///
/// Unused pages occupy no memory, unless hardware maps the arena through an IOMMU that pins it.
/// Pieces are allocated from the front and released to a free list of their kind. Confined to the
/// virtual machine's thread; the GPU reads the memory at any time.
public final class VmArena implements AutoCloseable {
    /// Memory target of the arena in hardware's view.
    public static final MemoryTarget TARGET = MemoryTarget.SYSTEM_COHERENT;

    /// Geometry of the shadow tables. Hardware always uses its size of big pages, whichever size
    /// the guests choose.
    public static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;

    /// Result of [#take] if the quota is used up.
    public static final long NONE = -1;

    private final long iova;
    private final long quotaBytes;
    private final MemFd file;
    private final MappedMemory mapping;
    private final Map<ArenaBlock, OffsetStack> free = new EnumMap<>(ArenaBlock.class);
    private long end;
    private long usedBytes;
    private long returns;

    /// @param name label in `/proc/PID/fd`, for debugging
    /// @param iova bus address, a multiple of 4 KiB, outside every [IovaShare]
    /// @param quotaBytes length, a multiple of 4 KiB
    public VmArena(String name, long iova, long quotaBytes) {
        Shares.check("iova", iova, quotaBytes, PageSize.SMALL_4K.bytes(), TableGeometry.VA_MASK);
        this.iova = iova;
        this.quotaBytes = quotaBytes;
        for (ArenaBlock kind : ArenaBlock.values()) {
            free.put(kind, new OffsetStack());
        }
        file = MemFd.create(name, quotaBytes);
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
        mapping =
                MappedMemory.map(file.descriptor(), 0, quotaBytes, MappedMemory.Access.READ_WRITE);
    }

    /// Returns the mapping for the GPU's owner. Writable, because hardware saves channels in the
    /// arena.
    public DmaMapping dmaMapping() {
        return new DmaMapping(file.descriptor(), 0, quotaBytes, iova, true);
    }

    /// Returns the number of allocated bytes.
    public long usedBytes() {
        return usedBytes;
    }

    /// Returns the maximum number of allocated bytes.
    public long quotaBytes() {
        return quotaBytes;
    }

    /// Frees the memory, after hardware has released all of it.
    @Override
    public void close() {
        mapping.close();
        file.close();
    }

    /// Returns the memory of the whole arena.
    public MemorySegment memory() {
        return mapping.segment();
    }

    /// Returns the bus address of an offset in [#memory].
    public long iovaOf(long offset) {
        return iova + offset;
    }

    /// Returns the total number of released pieces. If the number has changed, a failed [#take] is
    /// worth a retry.
    public long returns() {
        return returns;
    }

    /// Allocates a zeroed piece.
    ///
    /// @return offset of the piece in [#memory], [#NONE] if the quota is used up
    public long take(ArenaBlock kind) {
        OffsetStack returned = free.get(kind);
        long used = end;
        if (!returned.isEmpty()) {
            used = returned.pop();
            memory().asSlice(used, kind.bytes()).fill((byte) 0);
        } else if (kind.bytes() <= quotaBytes - end) {
            end += kind.bytes();
        } else {
            return NONE;
        }
        usedBytes += kind.bytes();
        return used;
    }

    /// Releases a piece from [#take], after hardware has released it or has received a flush
    /// request.
    public void giveBack(ArenaBlock kind, long offset) {
        free.get(kind).push(offset);
        usedBytes -= kind.bytes();
        returns++;
    }
}

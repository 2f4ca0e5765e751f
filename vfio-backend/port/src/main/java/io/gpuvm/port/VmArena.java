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

/// The host memory in which one VM's shadow directories, tables, instance blocks and USERD pages
/// lie: a memfd, as long as the VM's quota, at a bus address that no guest can name.
///
/// Pages that were never used cost nothing, unless hardware maps the arena through an IOMMU that
/// pins it. Pieces are taken from the front and come back to a list of their kind. Confined to the
/// VM's thread; the GPU reads the memory at any time.
public final class VmArena implements AutoCloseable {
    /// Where hardware sees the arena.
    public static final MemoryTarget TARGET = MemoryTarget.SYSTEM_COHERENT;

    /// The size of big pages that hardware is kept at, whatever guests choose for themselves.
    public static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;

    /// What [#take] returns when the quota is used up.
    public static final long NONE = -1;

    private final long iova;
    private final long quotaBytes;
    private final MemFd file;
    private final MappedMemory mapping;
    private final Map<ArenaBlock, OffsetStack> free = new EnumMap<>(ArenaBlock.class);
    private long end;
    private long usedBytes;
    private long returns;

    /// @param name shown in `/proc/PID/fd`, for humans
    /// @param iova bus address, a multiple of 4 KiB, outside of every [IovaShare]
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

    /// How the GPU's owner is to map the arena. Hardware saves channels in it.
    public DmaMapping dmaMapping() {
        return new DmaMapping(file.descriptor(), 0, quotaBytes, iova, true);
    }

    /// Bytes that are taken.
    public long usedBytes() {
        return usedBytes;
    }

    /// The most that can be taken.
    public long quotaBytes() {
        return quotaBytes;
    }

    /// After hardware has let go of everything in it.
    @Override
    public void close() {
        mapping.close();
        file.close();
    }

    /// All of the arena.
    public MemorySegment memory() {
        return mapping.segment();
    }

    /// Bus address of an offset in [#memory].
    public long iovaOf(long offset) {
        return iova + offset;
    }

    /// Counts pieces that came back: a reason to try again what failed.
    public long returns() {
        return returns;
    }

    /// Takes a zeroed piece.
    ///
    /// @return its offset in [#memory], [#NONE] if there is none
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

    /// Returns what [#take] gave, after hardware has let go of it or been told to flush.
    public void giveBack(ArenaBlock kind, long offset) {
        free.get(kind).push(offset);
        usedBytes -= kind.bytes();
        returns++;
    }
}

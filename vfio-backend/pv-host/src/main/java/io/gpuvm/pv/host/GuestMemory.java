package io.gpuvm.pv.host;

import io.gpuvm.gf100.driver.VramStore;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/// A guest's memory: pieces of its share of the VRAM, its data area, and its address spaces.
///
/// Freed VRAM may still be mapped: it remains in the guest's share, so that a stale mapping reaches
/// only the guest's own memory. Confined to the poller.
final class GuestMemory {
    /// Maximum number of extents of an allocation; an allocation that needs more fails, because
    /// each extent costs the poller time.
    private static final int MOST_EXTENTS = 256;

    /// Cost of finding or freeing one extent, in page-table entries.
    private static final int EXTENT_WORK = 64;

    /// Maximum number of destroyed address spaces of which the GPU may still hold state. Each
    /// occupies about 200 KB of host memory, which no quota of the guest includes.
    private static final int MOST_RETIRED = 64;

    /// Maximum number of destroyed address spaces that one call reclaims: each has a directory of
    /// tables to walk.
    private static final int MOST_RECLAIMED = 2;

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private final VramShare share;
    private final VmArena arena;
    private final VramStore vram;
    private final HandleTable<Backing> pieces;
    private final HandleTable<GuestSpace> spaces;
    private final Backing data;

    /// Backings of freed VRAM, for reuse by later allocations.
    private final ArrayDeque<Backing> sparePieces = new ArrayDeque<>();

    private final RetiredTables tables;

    /// Destroyed address spaces, in the order of their last flushes.
    private final ArrayDeque<GuestSpace> retired = new ArrayDeque<>();

    /// Reclaimed address spaces, retained for reuse because each is large.
    private final ArrayDeque<GuestSpace> spare = new ArrayDeque<>();

    private long mappedPages;
    private int result;
    private int work;

    /// @param dataIova bus address of the data area
    GuestMemory(VramShare share, VmArena arena, PvQuotas quotas, long dataIova, long dataBytes) {
        this.share = share;
        this.arena = arena;
        vram = new VramStore(share.bytes());
        pieces = new HandleTable<>(HandleTable.Kind.VRAM, quotas.handles());
        spaces = new HandleTable<>(HandleTable.Kind.SPACE, quotas.spaces());
        tables = new RetiredTables(arena);
        data = new Backing(VmArena.TARGET);
        data.add(dataIova, dataBytes);
    }

    /// Returns the handle created by the last method that returned [CommandStatus#OK].
    int result() {
        return result;
    }

    /// Returns the cost of the last [#allocate] or [#free], in page-table entries.
    int work() {
        return work;
    }

    /// Returns the number of allocated bytes of VRAM.
    long vramBytes() {
        return share.bytes() - vram.freeBytes();
    }

    int handles() {
        return pieces.size();
    }

    int spaces() {
        return spaces.size();
    }

    long mappedPages() {
        return mappedPages;
    }

    void addMappedPages(long more) {
        mappedPages += more;
    }

    /// Returns the memory with a handle; null if the handle is invalid.
    Backing backing(int handle) {
        return handle == Handle.DATA_AREA ? data : pieces.get(handle);
    }

    /// Returns the address space with a handle; null if the handle is invalid.
    GuestSpace space(int handle) {
        return spaces.get(handle);
    }

    /// Allocates VRAM.
    CommandStatus allocate(long bytes) {
        work = 0;
        if (bytes <= 0) {
            return CommandStatus.BAD_RANGE;
        }
        if (pieces.isFull()) {
            return CommandStatus.QUOTA_HANDLES;
        }
        if (bytes > vram.freeBytes()) {
            return CommandStatus.QUOTA_VRAM;
        }
        int extents = vram.take(bytes + PAGE_BYTES - 1 & -PAGE_BYTES, MOST_EXTENTS);
        work = vram.triedPieces() * EXTENT_WORK;
        if (extents == 0) {
            return CommandStatus.NO_MEMORY;
        }
        Backing piece = sparePieces.isEmpty() ? new Backing(MemoryTarget.VRAM) : sparePieces.pop();
        for (int extent = 0; extent < extents; extent++) {
            piece.add(share.toHost(vram.start(extent)), vram.bytes(extent));
        }
        result = pieces.add(piece);
        return CommandStatus.OK;
    }

    /// Frees VRAM.
    CommandStatus free(int handle) {
        work = 0;
        Backing piece = pieces.get(handle);
        if (piece == null) {
            return CommandStatus.BAD_HANDLE;
        }
        pieces.remove(handle);
        for (int extent = 0; extent < piece.extents(); extent++) {
            vram.giveBack(share.toGuest(piece.address(extent)), piece.bytes(extent));
        }
        work = piece.extents() * EXTENT_WORK;
        piece.clear();
        sparePieces.push(piece);
        return CommandStatus.OK;
    }

    /// Creates an address space.
    CommandStatus createSpace() {
        if (spaces.isFull()) {
            return CommandStatus.QUOTA_SPACES;
        }
        if (retired.size() >= MOST_RETIRED) {
            return CommandStatus.NO_MEMORY;
        }
        GuestSpace space = spare.isEmpty() ? newSpace() : spare.pop();
        if (!space.open()) {
            spare.push(space);
            return CommandStatus.NO_MEMORY;
        }
        result = spaces.add(space);
        return CommandStatus.OK;
    }

    /// Destroys an address space. Its tables remain in the arena until [#reclaim].
    ///
    /// @param lastFlush number of the flush after which the GPU holds no state of the address space
    CommandStatus destroySpace(int handle, long lastFlush) {
        GuestSpace space = spaces.get(handle);
        if (space == null) {
            return CommandStatus.BAD_HANDLE;
        }
        if (space.channels > 0) {
            return CommandStatus.BUSY;
        }
        spaces.remove(handle);
        mappedPages -= space.tables().present();
        space.lastFlush = lastFlush;
        retired.add(space);
        return CommandStatus.OK;
    }

    /// Returns whether tables have been removed from their directories since the last
    /// [#flushAsked].
    boolean wantsFlush() {
        return tables.wantsFlush();
    }

    /// Records that the caller has requested a flush of each changed address space of which the GPU
    /// may hold state.
    ///
    /// @param number number of the last of these flushes
    void flushAsked(long number) {
        tables.flushAsked(number);
    }

    /// Releases the arena memory of destroyed address spaces and of retired tables of which the GPU
    /// no longer holds state.
    void reclaim(Answers answers) {
        tables.reclaim(answers);
        for (int i = 0; i < MOST_RECLAIMED && !retired.isEmpty(); i++) {
            if (!answers.isFlushed(retired.peek().lastFlush)) {
                return;
            }
            GuestSpace space = retired.remove();
            space.tables().close();
            spare.push(space);
        }
    }

    /// Releases all blocks in the arena. Called after the guest's channels have been removed from
    /// the GPU.
    ///
    /// @param directories receives the bus address of each page directory, for a final flush
    void close(LongConsumer directories) {
        retired.forEach(space -> close(space, directories));
        spaces.forEach(space -> close(space, directories));
        tables.close();
    }

    private GuestSpace newSpace() {
        return new GuestSpace(new PageTables(arena, tables));
    }

    private static void close(GuestSpace space, LongConsumer directories) {
        directories.accept(space.tables().directoryIova());
        space.tables().close();
    }
}

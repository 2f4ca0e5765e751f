package io.gpuvm.pv.host;

import io.gpuvm.gf100.driver.VramStore;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.port.VmArena;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/// A guest's memory: pieces of its place's VRAM, its data area, and its address spaces.
///
/// Freed VRAM may still be mapped: it remains in the place's parts of the VRAM, so that a stale
/// mapping reaches only memory of the same virtual machine. Confined to the poller, except where
/// noted.
final class GuestMemory {
    /// Maximum number of extents of an allocation; an allocation that needs more fails, because
    /// each extent costs the poller time.
    private static final int MOST_EXTENTS = 256;

    /// Cost of finding or freeing one extent, in page-table entries.
    private static final int EXTENT_WORK = 64;

    /// Maximum number of address spaces that one call to [#release] returns: each has a directory
    /// of tables to walk.
    private static final int STEP_SPACES = 2;

    /// Approximate number of extents that one step of [#scrub] zeroes, or of [#release] frees.
    private static final int STEP_EXTENTS = 64;

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private final VmArena arena;
    private final PlaceUse use;
    private final VramStore vram;
    private final HandleTable<Backing> pieces;
    private final HandleTable<GuestSpace> spaces;
    private final Backing data;

    /// Backings of freed VRAM, for reuse by later allocations.
    private final ArrayDeque<Backing> sparePieces = new ArrayDeque<>();

    private final RetiredTables tables;

    /// Destroyed address spaces, in the order of their last flushes.
    private final ArrayDeque<GuestSpace> retired = new ArrayDeque<>();

    private long vramBytes;
    private long mappedPages;

    /// Index of the next piece that [#scrub] zeroes.
    private int scrubbed;

    private int result;
    private int work;

    /// @param dataIova bus address of the data area
    GuestMemory(PvPlace place, long dataIova, long dataBytes) {
        arena = place.arena();
        use = place.use();
        vram = use.vram();
        pieces = new HandleTable<>(HandleTable.Kind.VRAM, place.quotas().handles());
        spaces = new HandleTable<>(HandleTable.Kind.SPACE, place.quotas().spaces());
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
        return vramBytes;
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

    /// Returns the number of pages that the guest may still map.
    long freePages() {
        return use.pages().free();
    }

    void addMappedPages(long more) {
        mappedPages += more;
        use.pages().take(more);
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
        if (use.handles().isUsedUp()) {
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
            piece.add(vram.start(extent), vram.bytes(extent));
        }
        result = pieces.add(piece);
        use.handles().take(1);
        vramBytes += piece.bytes();
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
        vramBytes -= piece.bytes();
        giveBack(piece);
        work = piece.extents() * EXTENT_WORK;
        piece.clear();
        sparePieces.push(piece);
        return CommandStatus.OK;
    }

    /// Creates an address space.
    CommandStatus createSpace() {
        if (use.spaces().isUsedUp()) {
            return CommandStatus.QUOTA_SPACES;
        }
        if (use.retiredSpaces().isUsedUp()) {
            return CommandStatus.NO_MEMORY;
        }
        GuestSpace space = use.takeSpace(arena);
        if (!space.open(tables)) {
            use.giveBack(space);
            return CommandStatus.NO_MEMORY;
        }
        result = spaces.add(space);
        use.spaces().take(1);
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
        use.spaces().giveBack(1);
        addMappedPages(-space.tables().present());
        space.lastFlush = lastFlush;
        retired.add(space);
        use.retiredSpaces().take(1);
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
    ///
    /// @param budget budget for address spaces, which the call reduces
    /// @return number of address spaces
    int reclaim(FlushNumbers numbers, TurnBudget budget) {
        tables.reclaim(numbers);
        int reclaimed = 0;
        while (budget.mayReclaim()
                && !retired.isEmpty()
                && numbers.isFlushed(retired.peek().lastFlush)) {
            close(retired.remove());
            use.retiredSpaces().giveBack(1);
            budget.spendReclaim();
            reclaimed++;
        }
        return reclaimed;
    }

    /// Flushes all address spaces, after the poller has dropped the guest and its channels have
    /// been removed from the GPU. Reception's thread.
    ///
    /// @param directories receives the bus address of each page directory, for a final flush
    void flushAll(LongConsumer directories) {
        retired.forEach(space -> directories.accept(space.tables().directoryIova()));
        spaces.forEach(space -> directories.accept(space.tables().directoryIova()));
    }

    /// Zeroes some of the allocated VRAM, after [#flushAll]. Reception's thread.
    ///
    /// @return whether all of it has been zeroed
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not zero it
    boolean scrub(PlaceScrub scrub) {
        int extents = 0;
        for (; scrubbed < pieces.most() && extents < STEP_EXTENTS; scrubbed++) {
            Backing piece = pieces.at(scrubbed);
            for (int i = 0; piece != null && i < piece.extents(); i++) {
                scrub.zero(piece.address(i), piece.bytes(i));
                extents++;
            }
        }
        return scrubbed == pieces.most();
    }

    /// Returns some of the memory to the place, after the GPU has flushed its TLBs.
    ///
    /// @return whether all of it has been returned
    boolean release() {
        for (int extents = 0; extents < STEP_EXTENTS; ) {
            Backing piece = pieces.drain();
            if (piece == null) {
                return releaseSpaces();
            }
            giveBack(piece);
            extents += piece.extents();
        }
        return false;
    }

    private boolean releaseSpaces() {
        for (int i = 0; i < STEP_SPACES; i++) {
            GuestSpace space = spaces.drain();
            if (space != null) {
                use.spaces().giveBack(1);
                close(space);
            } else if (!retired.isEmpty()) {
                close(retired.remove());
                use.retiredSpaces().giveBack(1);
            } else {
                tables.close();
                use.pages().giveBack(mappedPages);
                return true;
            }
        }
        return false;
    }

    /// Returns a piece of VRAM and its handle to the place.
    private void giveBack(Backing piece) {
        use.handles().giveBack(1);
        for (int extent = 0; extent < piece.extents(); extent++) {
            vram.giveBack(piece.address(extent), piece.bytes(extent));
        }
    }

    private void close(GuestSpace space) {
        space.tables().close();
        use.giveBack(space);
    }
}

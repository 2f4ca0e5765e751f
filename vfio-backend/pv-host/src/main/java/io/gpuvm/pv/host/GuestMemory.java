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

/// What a guest has of memory: pieces of its share of the VRAM, its data area, and address spaces.
///
/// VRAM that was given back may still be mapped: it stays the guest's, so that what it reaches
/// there is its own at any time. Confined to the poller.
final class GuestMemory {
    /// More pieces than this make an allocation fail: each costs the poller time.
    private static final int MOST_EXTENTS = 256;

    /// What finding or giving back one of them counts as in page-table entries.
    private static final int EXTENT_WORK = 64;

    /// Destroyed address spaces of which the GPU may know something still. Each is some 200 KB of
    /// the host's memory, which no quota of the guest's counts.
    private static final int MOST_RETIRED = 64;

    /// How many of them are given back at a time: each has a table of tables to go through.
    private static final int MOST_RECLAIMED = 2;

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private final VramShare share;
    private final VmArena arena;
    private final VramStore vram;
    private final HandleTable<Backing> pieces;
    private final HandleTable<GuestSpace> spaces;
    private final Backing data;

    /// Pieces of VRAM that were given back, to be used again for others.
    private final ArrayDeque<Backing> sparePieces = new ArrayDeque<>();

    private final RetiredTables tables;

    /// Address spaces that were destroyed, in the order of their last flushes.
    private final ArrayDeque<GuestSpace> retired = new ArrayDeque<>();

    /// Those that can be used again: each is large.
    private final ArrayDeque<GuestSpace> spare = new ArrayDeque<>();

    private long mappedPages;
    private int result;
    private int work;

    /// @param dataIova where the GPU sees the data area
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

    /// The handle that the last method made which returned [CommandStatus#OK].
    int result() {
        return result;
    }

    /// How much the last [#allocate] or [#free] did, in page-table entries.
    int work() {
        return work;
    }

    /// Bytes of VRAM that it has.
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

    /// What a handle of memory names, null if nothing.
    Backing backing(int handle) {
        return handle == Handle.DATA_AREA ? data : pieces.get(handle);
    }

    /// The address space that a handle names, null if none.
    GuestSpace space(int handle) {
        return spaces.get(handle);
    }

    /// Takes VRAM.
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

    /// Gives VRAM back.
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

    /// Makes an address space.
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

    /// Ends an address space; what it has in the arena is kept until [#reclaim].
    ///
    /// @param lastFlush number of the flush after which the GPU knows nothing of it
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

    /// Whether tables have left their directories since the last [#flushAsked].
    boolean wantsFlush() {
        return tables.wantsFlush();
    }

    /// A flush was asked for, of each address space that has changed and that the GPU may know.
    ///
    /// @param number of the last one
    void flushAsked(long number) {
        tables.flushAsked(number);
    }

    /// Gives back what address spaces had that were destroyed, and tables that show nothing, of
    /// which the GPU knows nothing any more.
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

    /// Gives back everything in the arena. The GPU has no channel of the guest any more.
    ///
    /// @param directories told where each page directory was, for a last flush
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

package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.owner.Extent;
import io.gpuvm.gf100.owner.VramStore;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.Status;
import io.gpuvm.shadow.ShadowArena;
import io.gpuvm.shadow.VramShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// What a guest has of memory: pieces of its share of the VRAM, its data area, and address spaces.
///
/// VRAM that was given back may still be mapped: it stays the guest's, so that what it reaches
/// there is its own at any time. Confined to the poller.
final class GuestMemory {
    /// More pieces than this make an allocation fail: each costs the poller time.
    private static final int MOST_EXTENTS = 256;

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private final VramShare share;
    private final ShadowArena arena;
    private final VramStore vram;
    private final HandleTable<Backing> pieces;
    private final HandleTable<GuestSpace> spaces;
    private final Backing data;

    /// Address spaces that were destroyed, in the order of their last flushes.
    private final ArrayDeque<GuestSpace> retired = new ArrayDeque<>();

    private long mappedPages;
    private int result;

    /// @param dataIova where the GPU sees the data area
    GuestMemory(
            VramShare share, ShadowArena arena, PvQuotas quotas, long dataIova, long dataBytes) {
        this.share = share;
        this.arena = arena;
        vram = new VramStore(share.bytes());
        pieces = new HandleTable<>(HandleTable.Kind.VRAM, quotas.handles());
        spaces = new HandleTable<>(HandleTable.Kind.SPACE, quotas.spaces());
        data = new Backing(ShadowArena.TARGET, List.of(new Extent(dataIova, dataBytes)));
    }

    /// The handle that the last method made which returned [Status#OK].
    int result() {
        return result;
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
    Status allocate(long bytes) {
        if (bytes <= 0) {
            return Status.BAD_RANGE;
        }
        if (pieces.isFull()) {
            return Status.QUOTA_HANDLES;
        }
        if (bytes > vram.freeBytes()) {
            return Status.QUOTA_VRAM;
        }
        List<Extent> extents = vram.take(bytes + PAGE_BYTES - 1 & -PAGE_BYTES);
        if (extents.isEmpty()) {
            return Status.QUOTA_VRAM;
        }
        if (extents.size() > MOST_EXTENTS) {
            vram.giveBack(extents);
            return Status.NO_MEMORY;
        }
        List<Extent> hosts = new ArrayList<>(extents.size());
        extents.forEach(
                extent -> hosts.add(new Extent(share.toHost(extent.start()), extent.bytes())));
        result = pieces.add(new Backing(MemoryTarget.VRAM, hosts));
        return Status.OK;
    }

    /// Gives VRAM back.
    Status free(int handle) {
        Backing piece = pieces.get(handle);
        if (piece == null) {
            return Status.BAD_HANDLE;
        }
        pieces.remove(handle);
        List<Extent> extents = new ArrayList<>(piece.extents().size());
        piece.extents()
                .forEach(extent ->
                        extents.add(new Extent(share.toGuest(extent.start()), extent.bytes())));
        vram.giveBack(extents);
        return Status.OK;
    }

    /// Makes an address space.
    Status createSpace() {
        if (spaces.isFull()) {
            return Status.QUOTA_SPACES;
        }
        PageTables tables = PageTables.in(arena);
        if (tables == null) {
            return Status.NO_MEMORY;
        }
        result = spaces.add(new GuestSpace(tables));
        return Status.OK;
    }

    /// Ends an address space; what it has in the arena is kept until [#reclaim].
    ///
    /// @param lastFlush number of the flush after which the GPU knows nothing of it
    Status destroySpace(int handle, long lastFlush) {
        GuestSpace space = spaces.get(handle);
        if (space == null) {
            return Status.BAD_HANDLE;
        }
        if (space.channels > 0) {
            return Status.BUSY;
        }
        spaces.remove(handle);
        mappedPages -= space.tables().present();
        space.lastFlush = lastFlush;
        retired.add(space);
        return Status.OK;
    }

    /// Gives back what destroyed address spaces had, of which the GPU knows nothing any more.
    void reclaim(Answers answers) {
        while (!retired.isEmpty() && answers.isFlushed(retired.peek().lastFlush)) {
            retired.remove().tables().close();
        }
    }

    /// Gives back everything in the arena. The GPU has no channel of the guest any more.
    ///
    /// @param directories told where each page directory was, for a last flush
    void close(LongConsumer directories) {
        retired.forEach(space -> close(space, directories));
        spaces.forEach(space -> close(space, directories));
    }

    private static void close(GuestSpace space, LongConsumer directories) {
        directories.accept(space.tables().directoryIova());
        space.tables().close();
    }
}

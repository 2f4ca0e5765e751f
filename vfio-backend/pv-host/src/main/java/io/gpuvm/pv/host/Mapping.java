package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapOptions;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.Status;
import io.gpuvm.pv.protocol.UnmapCommand;
import java.lang.foreign.MemorySegment;

/// A command that maps or unmaps, from its check to its end: one at a time, in pieces of bounded
/// work, so that a long one is not everybody's pause. Confined to the poller; nothing here
/// allocates.
final class Mapping {
    private static final long SPACE_BYTES = TableGeometry.VA_MASK + 1;

    private enum Kind {
        NONE,
        MAP,
        STRIDED,
        LIST,
        UNMAP
    }

    private final GuestMemory memory;
    private final MemorySegment data;
    private final long mostPages;

    private Kind kind = Kind.NONE;
    private Status status = Status.OK;
    private GuestSpace space;
    private PageChoice choice;
    private boolean readOnly;
    private long correlation;
    private boolean quiet;
    private boolean linked;

    /// Where the next page goes, and how much was done.
    private long gpuVa;

    private long done;

    /// What is left of the piece in hand.
    private Backing backing;

    private long offset;
    private long left;

    /// What is left behind it: in a list, where its next element is.
    private long piecesLeft;

    private long nextPiece;
    private long stride;
    private long pieceBytes;

    /// Entries that were cleared before this command.
    private long clearedBefore;

    private int work;

    /// @param mostPages how many may be mapped in all address spaces together
    Mapping(GuestMemory memory, MemorySegment data, long mostPages) {
        this.memory = memory;
        this.data = data;
        this.mostPages = mostPages;
    }

    /// Whether a command has begun and not come to its end.
    boolean isUnderWay() {
        return kind != Kind.NONE;
    }

    long correlation() {
        return correlation;
    }

    boolean isQuiet() {
        return quiet;
    }

    boolean isLinked() {
        return linked;
    }

    /// How many bytes are mapped or unmapped so far.
    long done() {
        return done;
    }

    /// How the command ended, or stands.
    Status status() {
        return status;
    }

    /// The address space that it changes.
    GuestSpace space() {
        return space;
    }

    /// How much the last [#advance] did, in entries.
    int work() {
        return work;
    }

    /// @return why it does not begin, else [Status#OK]
    Status begin(MapCommand command) {
        Status refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != Status.OK) {
            return refusal;
        }
        if (!fits(gpuVa, command.bytes(), SPACE_BYTES)) {
            return Status.BAD_RANGE;
        }
        refusal = take(command.memory(), command.offset(), command.bytes());
        if (refusal == Status.OK) {
            kind = Kind.MAP;
        }
        return refusal;
    }

    /// @return why it does not begin, else [Status#OK]
    Status begin(MapStridedCommand command) {
        Status refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != Status.OK) {
            return refusal;
        }
        long count = Integer.toUnsignedLong(command.count());
        long each = Integer.toUnsignedLong(command.pieceBytes());
        long step = command.stride();
        if (count == 0 || each == 0 || step < 0 || count > (SPACE_BYTES - gpuVa) / each) {
            return Status.BAD_RANGE;
        }
        if (!isAligned(step)) {
            return Status.MISALIGNED;
        }
        refusal = take(command.memory(), command.offset(), each);
        if (refusal != Status.OK) {
            return refusal;
        }
        long room = backing.bytes() - each - command.offset();
        if (count > 1 && step > room / (count - 1)) {
            return Status.BAD_RANGE;
        }
        stride = step;
        pieceBytes = each;
        piecesLeft = count - 1;
        nextPiece = offset + step;
        kind = Kind.STRIDED;
        return Status.OK;
    }

    /// @return why it does not begin, else [Status#OK]
    Status begin(MapListCommand command) {
        Status refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != Status.OK) {
            return refusal;
        }
        long count = Integer.toUnsignedLong(command.count());
        if (count == 0 || !fits(command.list(), count * MapPiece.BYTES, data.byteSize())) {
            return Status.BAD_RANGE;
        }
        if (command.list() % Long.BYTES != 0) {
            return Status.MISALIGNED;
        }
        left = 0;
        piecesLeft = count;
        nextPiece = command.list();
        kind = Kind.LIST;
        return Status.OK;
    }

    /// @return why it does not begin, else [Status#OK]
    Status begin(UnmapCommand command) {
        Status refusal = open(command, command.space(), MapOptions.SMALL, command.gpuVa());
        if (refusal != Status.OK) {
            return refusal;
        }
        if (!isAligned(command.bytes())) {
            return Status.MISALIGNED;
        }
        if (!fits(gpuVa, command.bytes(), SPACE_BYTES)) {
            return Status.BAD_RANGE;
        }
        left = command.bytes();
        piecesLeft = 0;
        clearedBefore = space.tables().cleared();
        kind = Kind.UNMAP;
        return Status.OK;
    }

    /// Goes on.
    ///
    /// @param limit entries to write or look at, about, at least 1
    /// @return whether the command has come to its end
    boolean advance(int limit) {
        work = 0;
        while (status == Status.OK && work < limit && (left > 0 || hasNextPiece())) {
            if (kind == Kind.UNMAP) {
                unmap(limit - work);
            } else {
                map(limit - work);
            }
        }
        if (status == Status.OK && (left > 0 || piecesLeft > 0)) {
            return false;
        }
        if (kind == Kind.UNMAP
                && status == Status.OK
                && space.tables().cleared() == clearedBefore) {
            status = Status.NOT_MAPPED;
        }
        kind = Kind.NONE;
        return true;
    }

    private Status open(CommandEntry command, int handle, int options, long at) {
        if ((options & ~MapOptions.ALL) != 0
                || (options & MapOptions.PAGES) == (MapOptions.SMALL | MapOptions.BIG)) {
            return Status.BAD_FLAGS;
        }
        space = memory.space(handle);
        if (space == null) {
            return Status.BAD_HANDLE;
        }
        choice =
                switch (options & MapOptions.PAGES) {
                    case MapOptions.SMALL -> PageChoice.SMALL;
                    case MapOptions.BIG -> PageChoice.BIG;
                    default -> PageChoice.AUTO;
                };
        if (!isAligned(at)) {
            return Status.MISALIGNED;
        }
        if (at < 0 || at >= SPACE_BYTES) {
            return Status.BAD_RANGE;
        }
        readOnly = (options & MapOptions.READ_ONLY) != 0;
        correlation = command.correlation();
        quiet = command.isQuiet();
        linked = command.isLinked();
        status = Status.OK;
        gpuVa = at;
        done = 0;
        piecesLeft = 0;
        return Status.OK;
    }

    /// Takes a piece of memory in hand.
    private Status take(int handle, long from, long bytes) {
        backing = memory.backing(handle);
        if (backing == null) {
            return Status.BAD_HANDLE;
        }
        if (!isAligned(from | bytes)) {
            return Status.MISALIGNED;
        }
        if (bytes == 0 || !backing.contains(from, bytes)) {
            return Status.BAD_RANGE;
        }
        offset = from;
        left = bytes;
        return Status.OK;
    }

    private boolean hasNextPiece() {
        if (piecesLeft == 0) {
            return false;
        }
        piecesLeft--;
        work++;
        if (kind == Kind.STRIDED) {
            offset = nextPiece;
            left = pieceBytes;
            nextPiece += stride;
            return true;
        }
        // Read once: the guest may change it at any time.
        int handle = MapPiece.memory(data, nextPiece);
        long from = MapPiece.offset(data, nextPiece);
        long bytes = MapPiece.bytes(data, nextPiece);
        nextPiece += MapPiece.BYTES;
        status = take(handle, from, bytes);
        if (status == Status.OK && !fits(gpuVa, bytes, SPACE_BYTES)) {
            status = Status.BAD_RANGE;
        }
        return status == Status.OK;
    }

    private void map(int limit) {
        long pages = mostPages - memory.mappedPages();
        if (pages <= 0) {
            status = Status.QUOTA_PAGES;
            return;
        }
        long bytes = Math.min(left, backing.contiguousAt(offset));
        long entry = backing.entryAt(offset);
        if (choice == PageChoice.BIG && !isAligned(bytes | PageTableEntry.physicalAddress(entry))) {
            status = Status.MISALIGNED;
            return;
        }
        if (readOnly) {
            entry = PageTableEntry.readOnly(entry);
        }
        PageTables tables = space.tables();
        long before = tables.present();
        long mapped = tables.map(gpuVa, bytes, entry, choice, (int) Math.min(limit, pages));
        memory.addMappedPages(tables.present() - before);
        move(mapped, tables);
        offset += mapped;
    }

    private void unmap(int limit) {
        PageTables tables = space.tables();
        long before = tables.present();
        long room = mostPages - memory.mappedPages();
        long unmapped = tables.unmap(gpuVa, left, limit, room);
        memory.addMappedPages(tables.present() - before);
        move(unmapped, tables);
    }

    private void move(long bytes, PageTables tables) {
        gpuVa += bytes;
        done += bytes;
        left -= bytes;
        work += tables.work();
        status =
                switch (tables.stop()) {
                    case NONE -> Status.OK;
                    case MAPPED -> Status.MAPPED;
                    case NO_MEMORY -> Status.NO_MEMORY;
                    case TOO_MANY -> Status.QUOTA_PAGES;
                };
    }

    private boolean isAligned(long value) {
        PageSize size = choice == PageChoice.BIG ? PageSize.BIG_128K : PageSize.SMALL_4K;
        return size.offsetIn(value) == 0;
    }

    private static boolean fits(long start, long bytes, long end) {
        return start >= 0 && bytes > 0 && bytes <= end && start <= end - bytes;
    }
}

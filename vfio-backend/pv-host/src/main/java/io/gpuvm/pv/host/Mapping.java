package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapOptions;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import java.lang.foreign.MemorySegment;

/// Execution of a command that maps or unmaps, from its check to its completion. Commands execute
/// one at a time, in steps of bounded work, so that a long command does not delay other guests.
/// Confined to the poller; no method allocates.
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

    private Kind kind = Kind.NONE;
    private CommandStatus status = CommandStatus.OK;
    private GuestSpace space;
    private PageChoice choice;
    private boolean readOnly;
    private long correlation;
    private boolean quiet;
    private boolean linked;

    /// GPU address of the next page.
    private long gpuVa;

    /// Number of bytes already mapped or unmapped.
    private long done;

    /// Memory of the current piece, of which [#left] bytes at [#offset] remain.
    private Backing backing;

    private long offset;
    private long left;

    /// Number of pieces after the current piece.
    private long piecesLeft;

    /// Offset of the next piece; for a list, the offset of the list's next element.
    private long nextPiece;

    private long stride;
    private long pieceBytes;

    /// Value of [PageTables#cleared()] when this command began.
    private long clearedBefore;

    private int work;

    Mapping(GuestMemory memory, MemorySegment data) {
        this.memory = memory;
        this.data = data;
    }

    /// Returns whether a command is in progress.
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

    /// Returns the number of bytes already mapped or unmapped.
    long done() {
        return done;
    }

    /// Returns the status of the command, final if the command is complete.
    CommandStatus status() {
        return status;
    }

    /// Returns the address space that the command changes.
    GuestSpace space() {
        return space;
    }

    /// Returns the cost of the last [#advance], in entries.
    int work() {
        return work;
    }

    /// @return the reason for a refusal, else [CommandStatus#OK]
    CommandStatus begin(MapCommand command) {
        CommandStatus refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != CommandStatus.OK) {
            return refusal;
        }
        if (!fits(gpuVa, command.bytes(), SPACE_BYTES)) {
            return CommandStatus.BAD_RANGE;
        }
        refusal = take(command.memory(), command.offset(), command.bytes());
        if (refusal == CommandStatus.OK) {
            kind = Kind.MAP;
        }
        return refusal;
    }

    /// @return the reason for a refusal, else [CommandStatus#OK]
    CommandStatus begin(MapStridedCommand command) {
        CommandStatus refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != CommandStatus.OK) {
            return refusal;
        }
        long count = Integer.toUnsignedLong(command.count());
        long each = Integer.toUnsignedLong(command.pieceBytes());
        long step = command.stride();
        if (count == 0 || each == 0 || step < 0 || count > (SPACE_BYTES - gpuVa) / each) {
            return CommandStatus.BAD_RANGE;
        }
        if (!isAligned(step)) {
            return CommandStatus.MISALIGNED;
        }
        refusal = take(command.memory(), command.offset(), each);
        if (refusal != CommandStatus.OK) {
            return refusal;
        }
        long room = backing.bytes() - each - command.offset();
        if (count > 1 && step > room / (count - 1)) {
            return CommandStatus.BAD_RANGE;
        }
        stride = step;
        pieceBytes = each;
        piecesLeft = count - 1;
        nextPiece = offset + step;
        kind = Kind.STRIDED;
        return CommandStatus.OK;
    }

    /// @return the reason for a refusal, else [CommandStatus#OK]
    CommandStatus begin(MapListCommand command) {
        CommandStatus refusal = open(command, command.space(), command.options(), command.gpuVa());
        if (refusal != CommandStatus.OK) {
            return refusal;
        }
        long count = Integer.toUnsignedLong(command.count());
        if (count == 0 || !fits(command.list(), count * MapPiece.BYTES, data.byteSize())) {
            return CommandStatus.BAD_RANGE;
        }
        if (command.list() % Long.BYTES != 0) {
            return CommandStatus.MISALIGNED;
        }
        left = 0;
        piecesLeft = count;
        nextPiece = command.list();
        kind = Kind.LIST;
        return CommandStatus.OK;
    }

    /// @return the reason for a refusal, else [CommandStatus#OK]
    CommandStatus begin(UnmapCommand command) {
        CommandStatus refusal = open(command, command.space(), MapOptions.SMALL, command.gpuVa());
        if (refusal != CommandStatus.OK) {
            return refusal;
        }
        if (!isAligned(command.bytes())) {
            return CommandStatus.MISALIGNED;
        }
        if (!fits(gpuVa, command.bytes(), SPACE_BYTES)) {
            return CommandStatus.BAD_RANGE;
        }
        left = command.bytes();
        piecesLeft = 0;
        clearedBefore = space.tables().cleared();
        kind = Kind.UNMAP;
        return CommandStatus.OK;
    }

    /// Continues the command.
    ///
    /// @param limit approximate number of entries to write or read, at least 1
    /// @return whether the command is complete
    boolean advance(int limit) {
        work = 0;
        while (status == CommandStatus.OK && work < limit && (left > 0 || hasNextPiece())) {
            if (kind == Kind.UNMAP) {
                unmap(limit - work);
            } else {
                map(limit - work);
            }
        }
        if (status == CommandStatus.OK && (left > 0 || piecesLeft > 0)) {
            return false;
        }
        if (kind == Kind.UNMAP
                && status == CommandStatus.OK
                && space.tables().cleared() == clearedBefore) {
            status = CommandStatus.NOT_MAPPED;
        }
        kind = Kind.NONE;
        return true;
    }

    private CommandStatus open(CommandEntry command, int handle, int options, long at) {
        if ((options & ~MapOptions.ALL) != 0
                || (options & MapOptions.PAGES) == (MapOptions.SMALL | MapOptions.BIG)) {
            return CommandStatus.BAD_FLAGS;
        }
        space = memory.space(handle);
        if (space == null) {
            return CommandStatus.BAD_HANDLE;
        }
        choice =
                switch (options & MapOptions.PAGES) {
                    case MapOptions.SMALL -> PageChoice.SMALL;
                    case MapOptions.BIG -> PageChoice.BIG;
                    default -> PageChoice.AUTO;
                };
        if (!isAligned(at)) {
            return CommandStatus.MISALIGNED;
        }
        if (at < 0 || at >= SPACE_BYTES) {
            return CommandStatus.BAD_RANGE;
        }
        readOnly = (options & MapOptions.READ_ONLY) != 0;
        correlation = command.correlation();
        quiet = command.isQuiet();
        linked = command.isLinked();
        status = CommandStatus.OK;
        gpuVa = at;
        done = 0;
        piecesLeft = 0;
        return CommandStatus.OK;
    }

    /// Makes a range of memory the current piece.
    private CommandStatus take(int handle, long from, long bytes) {
        backing = memory.backing(handle);
        if (backing == null) {
            return CommandStatus.BAD_HANDLE;
        }
        if (!isAligned(from | bytes)) {
            return CommandStatus.MISALIGNED;
        }
        if (bytes == 0 || !backing.contains(from, bytes)) {
            return CommandStatus.BAD_RANGE;
        }
        offset = from;
        left = bytes;
        return CommandStatus.OK;
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
        // Read once: the guest may change the element at any time.
        int handle = MapPiece.memory(data, nextPiece);
        long from = MapPiece.offset(data, nextPiece);
        long bytes = MapPiece.bytes(data, nextPiece);
        nextPiece += MapPiece.BYTES;
        status = take(handle, from, bytes);
        if (status == CommandStatus.OK && !fits(gpuVa, bytes, SPACE_BYTES)) {
            status = CommandStatus.BAD_RANGE;
        }
        return status == CommandStatus.OK;
    }

    private void map(int limit) {
        long pages = memory.freePages();
        if (pages <= 0) {
            status = CommandStatus.QUOTA_PAGES;
            return;
        }
        long bytes = Math.min(left, backing.contiguousAt(offset));
        long entry = backing.entryAt(offset);
        if (choice == PageChoice.BIG && !isAligned(bytes | PageTableEntry.physicalAddress(entry))) {
            status = CommandStatus.MISALIGNED;
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
        long room = memory.freePages();
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
                    case NONE -> CommandStatus.OK;
                    case MAPPED -> CommandStatus.MAPPED;
                    case NO_MEMORY -> CommandStatus.NO_MEMORY;
                    case TOO_MANY -> CommandStatus.QUOTA_PAGES;
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

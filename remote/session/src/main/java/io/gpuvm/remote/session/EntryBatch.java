package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Entries of a ring that travel in one frame.
final class EntryBatch {
    private final Link link;
    private final int type;
    private final MemorySegment frame =
            Arena.ofAuto().allocate(SessionFrame.MOST_BYTES, Long.BYTES);
    private long bytes = SessionFrame.FIRST_ENTRY;

    EntryBatch(Link link, int type) {
        this.link = link;
        this.type = type;
    }

    boolean isEmpty() {
        return bytes == SessionFrame.FIRST_ENTRY;
    }

    /// Returns whether another entry fits into the frame, and the link has room for it.
    ///
    /// @param argumentBytes length of its arguments
    boolean hasRoom(long argumentBytes) {
        long needed = bytes + RingEntry.BYTES + argumentBytes;
        return needed <= SessionFrame.MOST_BYTES && needed <= link.room(Lane.CALLS);
    }

    /// Adds an entry after [#hasRoom].
    ///
    /// @param from memory that contains the entry
    /// @param at offset of the entry
    /// @param arguments arguments of a spilled call
    /// @param argumentBytes length of the arguments, a multiple of 8
    void add(MemorySegment from, long at, MemorySegment arguments, long argumentBytes) {
        MemorySegment.copy(from, at, frame, bytes, RingEntry.BYTES);
        bytes += RingEntry.BYTES;
        MemorySegment.copy(arguments, 0, frame, bytes, argumentBytes);
        bytes += argumentBytes;
    }

    /// Sends the frame, which may be empty, after [#hasRoom] for its last entry.
    ///
    /// @param rowsBefore number of frames of rows that precede the entries
    /// @param retired retired word, or number of events
    void send(long rowsBefore, long retired) {
        frame.set(WireType.U64, SessionFrame.ROWS_BEFORE, rowsBefore);
        frame.set(WireType.U64, SessionFrame.RETIRED, retired);
        link.send(Lane.CALLS, type, frame, 0, bytes, frame, 0, 0);
        bytes = SessionFrame.FIRST_ENTRY;
    }
}

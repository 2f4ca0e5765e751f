package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.MemorySegment;

/// Reader of the frames with ring entries. A frame is released when all of its entries have been
/// taken; until then, its sender has fewer credits.
final class EntryReader {
    private final Link link;
    private final int type;

    /// LinkFrame whose entries are taken; null if there is none.
    private LinkFrame frame;

    private long next;

    EntryReader(Link link, int type) {
        this.link = link;
        this.type = type;
    }

    /// Begins the next frame if no frame is being read.
    ///
    /// @param rows number of frames of rows that have been received
    /// @return whether entries of a frame, or its retired word, can be taken
    /// @throws SessionException if the frame is invalid
    boolean begin(long rows) {
        if (frame == null) {
            LinkFrame first = link.peek(Lane.CALLS);
            if (first == null) {
                return false;
            }
            if (first.type() != type || first.bytes() < SessionFrame.FIRST_ENTRY) {
                throw new SessionException(
                        "frame: type=%d, bytes=%d, expected type=%d with at least %d bytes"
                                .formatted(
                                        first.type(),
                                        first.bytes(),
                                        type,
                                        SessionFrame.FIRST_ENTRY));
            }
            long before =
                    first.memory().get(WireType.U64, first.offset() + SessionFrame.ROWS_BEFORE);
            if (Long.compareUnsigned(before, rows) > 0) {
                return false;
            }
            frame = first;
            next = SessionFrame.FIRST_ENTRY;
        }
        return true;
    }

    /// Returns whether the current frame has another entry.
    boolean hasEntry() {
        return next < frame.bytes();
    }

    /// Returns the memory of the current frame.
    MemorySegment memory() {
        return frame.memory();
    }

    /// Returns the offset in [#memory()] of the next entry, which is complete.
    ///
    /// @throws SessionException if the frame ends inside the entry
    long entry() {
        require(RingEntry.BYTES);
        return frame.offset() + next;
    }

    /// Returns the offset in [#memory()] of the arguments after the next entry.
    ///
    /// @param bytes length of the arguments
    /// @throws SessionException if the frame ends inside the arguments
    long arguments(long bytes) {
        require(RingEntry.BYTES + bytes);
        return frame.offset() + next + RingEntry.BYTES;
    }

    /// Moves to the next entry.
    ///
    /// @param argumentBytes length of the arguments of this entry
    void take(long argumentBytes) {
        next += RingEntry.BYTES + argumentBytes;
    }

    /// Returns the retired word of the current frame.
    long retired() {
        return frame.memory().get(WireType.U64, frame.offset() + SessionFrame.RETIRED);
    }

    /// Ends the current frame, and releases it.
    void end() {
        finish();
        link.release(Lane.CALLS);
    }

    /// Ends the current frame, which the caller releases.
    void finish() {
        frame = null;
    }

    private void require(long bytes) {
        if (bytes > frame.bytes() - next) {
            throw new SessionException(
                    "entry: bytes=%d, limit=%d, the rest of the frame"
                            .formatted(bytes, frame.bytes() - next));
        }
    }
}

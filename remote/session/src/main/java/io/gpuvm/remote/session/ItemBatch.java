package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Items of equal length that travel in one frame on the lane of calls.
final class ItemBatch {
    /// Maximum length of a frame's payload in bytes.
    private static final int MOST_BYTES = 16 << 10;

    private final Link link;
    private final int type;
    private final long itemBytes;
    private final MemorySegment frame = Arena.ofAuto().allocate(MOST_BYTES, Long.BYTES);
    private long bytes = SessionFrame.FIRST_ENTRY;

    /// Returns whether the items of a received frame can be applied.
    ///
    /// @param words number of frames of words that have been received
    /// @throws SessionException if the frame does not consist of items
    static boolean isDue(LinkFrame frame, long itemBytes, long words) {
        long bytes = frame.bytes() - SessionFrame.FIRST_ENTRY;
        if (bytes < 0 || bytes % itemBytes != 0) {
            throw new SessionException(
                    "frame: type=%d, bytes=%d, expected %d and a multiple of %d"
                            .formatted(
                                    frame.type(),
                                    frame.bytes(),
                                    SessionFrame.FIRST_ENTRY,
                                    itemBytes));
        }
        long before = frame.memory().get(WireType.U64, frame.offset() + SessionFrame.ROWS_BEFORE);
        return Long.compareUnsigned(before, words) <= 0;
    }

    ItemBatch(Link link, int type, long itemBytes) {
        this.link = link;
        this.type = type;
        this.itemBytes = itemBytes;
    }

    boolean isEmpty() {
        return bytes == SessionFrame.FIRST_ENTRY;
    }

    /// Returns whether the frame, and the link, have room for another item.
    boolean hasRoom() {
        long needed = bytes + itemBytes;
        return needed <= MOST_BYTES && needed <= link.room(Lane.CALLS);
    }

    /// Adds an item after [#hasRoom].
    ///
    /// @return offset in [#memory()] at which the caller writes the item
    long add() {
        long at = bytes;
        bytes += itemBytes;
        return at;
    }

    MemorySegment memory() {
        return frame;
    }

    /// Sends the items, if there are any.
    ///
    /// @param wordsBefore number of frames of words that precede the items
    void send(long wordsBefore) {
        if (!isEmpty()) {
            frame.set(WireType.U64, SessionFrame.ROWS_BEFORE, wordsBefore);
            frame.set(WireType.U64, SessionFrame.RETIRED, 0);
            link.send(Lane.CALLS, type, frame, 0, bytes, frame, 0, 0);
            bytes = SessionFrame.FIRST_ENTRY;
        }
    }
}

package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.MemorySegment;

/// Exchange of the values of declared fences. A frame of fences follows the data that precedes
/// them.
final class FenceExchange {
    private final AreaTwin area;
    private final DeclaredFences fences;
    private final ItemBatch batch;

    /// Number of changed fences that have been added to the batch, or sent.
    private int added;

    FenceExchange(Link link, AreaTwin area, DeclaredFences fences) {
        this.area = area;
        this.fences = fences;
        batch = new ItemBatch(link, SessionFrame.FENCES, SessionFrame.FENCE_BYTES);
    }

    /// Begins to send the fences that had changed at the last look.
    void begin() {
        added = 0;
    }

    /// Sends the fences as far as the link has room.
    ///
    /// @param wordsBefore number of frames of words that precede the fences
    /// @return whether all have been sent
    boolean work(long wordsBefore) {
        for (; added < fences.changed(); added++) {
            if (!batch.hasRoom()) {
                batch.send(wordsBefore);
                if (!batch.hasRoom()) {
                    return false;
                }
            }
            long offset = fences.changedOffset(added);
            int word = fences.changedWord(added);
            area.agree(offset, word);
            long at = batch.add();
            batch.memory().set(WireType.U64, at + SessionFrame.FENCE_OFFSET, offset);
            batch.memory()
                    .set(WireType.U64, at + SessionFrame.FENCE_WORD, Integer.toUnsignedLong(word));
        }
        batch.send(wordsBefore);
        return true;
    }

    /// Stores the fences of a received frame, if the words before them have been received.
    ///
    /// @param words number of frames of words that have been received
    /// @return false if words are missing
    /// @throws SessionException if the frame is invalid
    boolean store(LinkFrame frame, long words) {
        if (!ItemBatch.isDue(frame, SessionFrame.FENCE_BYTES, words)) {
            return false;
        }
        MemorySegment memory = frame.memory();
        long end = frame.offset() + frame.bytes();
        for (long at = frame.offset() + SessionFrame.FIRST_ENTRY;
                at < end;
                at += SessionFrame.FENCE_BYTES) {
            long offset = memory.get(WireType.U64, at + SessionFrame.FENCE_OFFSET);
            if (!area.contains(offset, Integer.BYTES)) {
                throw new SessionException(
                        "fence: offset=%#x, expected a word of the data area of %d bytes"
                                .formatted(offset, area.bytes()));
            }
            area.store(offset, memory.get(WireType.U32, at + SessionFrame.FENCE_WORD));
        }
        return true;
    }
}

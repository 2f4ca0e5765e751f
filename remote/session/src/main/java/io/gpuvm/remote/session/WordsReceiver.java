package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.MemorySegment;

/// Receiver of changed words from the lane of bulk data.
final class WordsReceiver {
    private final Link link;
    private final AreaTwin area;
    private long frames;

    WordsReceiver(Link link, AreaTwin area) {
        this.link = link;
        this.area = area;
    }

    /// Returns the number of frames that have been received.
    long frames() {
        return frames;
    }

    /// Stores received words, up to a limit; if the limit ends the call, the next call continues.
    ///
    /// @return number of frames
    /// @throws SessionException if a frame is invalid
    int work() {
        int work = 0;
        long bytes = 0;
        for (LinkFrame frame = link.peek(Lane.BULK);
                frame != null && bytes < SessionFrame.MOST_STORED;
                frame = link.peek(Lane.BULK)) {
            bytes += frame.bytes();
            store(frame);
            link.release(Lane.BULK);
            frames++;
            work++;
        }
        return work;
    }

    private void store(LinkFrame frame) {
        if (frame.type() != SessionFrame.WORDS) {
            throw new SessionException(
                    "bulk frame: type=%d, expected type=%d"
                            .formatted(frame.type(), SessionFrame.WORDS));
        }
        MemorySegment memory = frame.memory();
        long left = frame.bytes();
        long at = frame.offset();
        while (left > 0) {
            if (left < SessionFrame.WORDS_START) {
                throw new SessionException(
                        "words: bytes=%d at the end of a frame, expected at least %d"
                                .formatted(left, SessionFrame.WORDS_START));
            }
            long offset = memory.get(WireType.U64, at + SessionFrame.WORDS_OFFSET);
            long bytes =
                    Integer.toUnsignedLong(memory.get(WireType.U32, at + SessionFrame.WORDS_BYTES));
            if (!area.contains(offset, bytes) || bytes > left - SessionFrame.WORDS_START) {
                throw new SessionException(
                        "words: offset=%#x, bytes=%d, expected words of the data area of %d bytes, within the frame"
                                .formatted(offset, bytes, area.bytes()));
            }
            area.store(memory, at + SessionFrame.WORDS_START, offset, bytes);
            long itemBytes = SessionFrame.WORDS_START + bytes + Long.BYTES - 1 & -Long.BYTES;
            at += itemBytes;
            left -= itemBytes;
        }
    }
}

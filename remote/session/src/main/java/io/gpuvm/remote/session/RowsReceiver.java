package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.MemorySegment;

/// Receiver of parts of a data area from the lane of bulk data.
final class RowsReceiver {
    private final Link link;
    private final MemorySegment data;
    private long frames;

    RowsReceiver(Link link, MemorySegment data) {
        this.link = link;
        this.data = data;
    }

    /// Returns the number of frames that have been received.
    long frames() {
        return frames;
    }

    /// Copies received rows into the data area, up to a limit; if the limit ends the call, the next
    /// call continues.
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
            copy(frame);
            link.release(Lane.BULK);
            frames++;
            work++;
        }
        return work;
    }

    private void copy(LinkFrame frame) {
        if (frame.type() != SessionFrame.ROWS || frame.bytes() < SessionFrame.ROWS_BYTES) {
            throw new SessionException(
                    "bulk frame: type=%d, bytes=%d, expected type=%d with at least %d bytes"
                            .formatted(
                                    frame.type(),
                                    frame.bytes(),
                                    SessionFrame.ROWS,
                                    SessionFrame.ROWS_BYTES));
        }
        MemorySegment memory = frame.memory();
        long at = frame.offset();
        long offset = memory.get(WireType.U64, at + SessionFrame.ROWS_OFFSET);
        long width = Integer.toUnsignedLong(memory.get(WireType.U32, at + SessionFrame.ROWS_WIDTH));
        long rows = Integer.toUnsignedLong(memory.get(WireType.U32, at + SessionFrame.ROWS_COUNT));
        long pitch = memory.get(WireType.U64, at + SessionFrame.ROWS_PITCH);
        long size = data.byteSize();
        boolean isWithin =
                width * rows == frame.bytes() - SessionFrame.ROWS_BYTES
                        && width > 0
                        && rows > 0
                        && offset >= 0
                        && offset <= size
                        && pitch >= 0
                        && pitch <= size
                        && width <= size - offset
                        && (rows - 1) * pitch <= size - offset - width;
        if (!isWithin) {
            throw new SessionException(
                    "rows: offset=%#x, width=%d, rows=%d, pitch=%d, bytes=%d, expected rows of the data area of %d bytes"
                            .formatted(offset, width, rows, pitch, frame.bytes(), size));
        }
        for (long row = 0; row < rows; row++) {
            MemorySegment.copy(
                    memory,
                    at + SessionFrame.ROWS_BYTES + row * width,
                    data,
                    offset + row * pitch,
                    width);
        }
    }
}

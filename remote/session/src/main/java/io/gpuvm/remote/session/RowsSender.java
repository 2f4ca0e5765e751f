package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Sender of parts of a data area on the lane of bulk data, one box after another. A box whose rows
/// are shorter than a frame travels as several rows in a frame.
final class RowsSender {
    /// Minimum number of bytes of a row's piece, unless it is the last one: smaller pieces would
    /// consist of headers mostly.
    private static final long LEAST_PIECE = 4096;

    private static final long MOST_ROW_BYTES = SessionFrame.MOST_BYTES - SessionFrame.ROWS_BYTES;

    private final Link link;
    private final MemorySegment data;
    private final MemorySegment head = Arena.ofAuto().allocate(SessionFrame.ROWS_BYTES, Long.BYTES);

    /// Copies of short rows, so that one frame contains many.
    private final MemorySegment gathered = Arena.ofAuto().allocate(MOST_ROW_BYTES, Long.BYTES);

    private final AreaBox box = new AreaBox();
    private long row;
    private long column;
    private long frames;

    RowsSender(Link link, MemorySegment data) {
        this.link = link;
        this.data = data;
    }

    /// Begins to send a box, after [#isDone()]. A box that is not within the data area is not sent.
    void begin(AreaBox part) {
        box.set(part);
        if (!box.isWithin(data.byteSize())) {
            box.clear();
        }
        row = 0;
        column = 0;
    }

    /// Returns whether the whole box has been sent.
    boolean isDone() {
        return box.isEmpty() || row == box.rows();
    }

    /// Returns the number of frames that have been sent.
    long frames() {
        return frames;
    }

    /// Sends the box as far as the link has room.
    ///
    /// @return whether the whole box has been sent
    boolean work() {
        while (!isDone()) {
            long room = Math.min(link.room(Lane.BULK) - SessionFrame.ROWS_BYTES, MOST_ROW_BYTES);
            boolean hasSent =
                    column == 0 && box.width() <= MOST_ROW_BYTES / 2 && box.height() > 1
                            ? sendRows(room)
                            : sendPiece(room);
            if (!hasSent) {
                return false;
            }
        }
        return true;
    }

    /// Sends a part of the current row.
    private boolean sendPiece(long room) {
        long left = box.width() - column;
        if (room < Math.min(left, LEAST_PIECE)) {
            return false;
        }
        long bytes = Math.min(left, room);
        long from = box.rowStart(row) + column;
        describe(from, bytes, 1, 0);
        send(data, from, bytes);
        column += bytes;
        if (column == box.width()) {
            column = 0;
            row++;
        }
        return true;
    }

    /// Sends several rows of the current slice.
    private boolean sendRows(long room) {
        long left = box.height() - row % box.height();
        long rows = Math.min(left, room / box.width());
        if (rows < Math.min(left, Math.max(1, LEAST_PIECE / box.width()))) {
            return false;
        }
        for (long i = 0; i < rows; i++) {
            MemorySegment.copy(data, box.rowStart(row + i), gathered, i * box.width(), box.width());
        }
        describe(box.rowStart(row), box.width(), rows, box.pitch());
        send(gathered, 0, rows * box.width());
        row += rows;
        return true;
    }

    private void describe(long offset, long width, long rows, long pitch) {
        head.set(WireType.U64, SessionFrame.ROWS_OFFSET, offset);
        head.set(WireType.U32, SessionFrame.ROWS_WIDTH, (int) width);
        head.set(WireType.U32, SessionFrame.ROWS_COUNT, (int) rows);
        head.set(WireType.U64, SessionFrame.ROWS_PITCH, pitch);
    }

    private void send(MemorySegment from, long offset, long bytes) {
        link.send(
                Lane.BULK,
                SessionFrame.ROWS,
                head,
                0,
                SessionFrame.ROWS_BYTES,
                from,
                offset,
                bytes);
        frames++;
    }
}

package io.gpuvm.record;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/// Iterator over the records of a recording, from its beginning. Confined to one thread.
///
/// Checks every record: an invalid record causes an error with its position.
public final class RecordCursor implements AutoCloseable {
    private final Recording recording;
    private final ExcerptTailer tailer;
    private final MemorySegment buffer =
            Arena.ofAuto().allocate(RecordLayout.MAX_BATCH_BYTES, RecordLayout.ALIGNMENT);
    private final ByteBuffer window = buffer.asByteBuffer();
    private final RecordView view = new RecordView();
    private long excerpts;
    private int track;
    private int at;
    private int end;

    RecordCursor(Recording recording, ChronicleQueue queue) {
        this.recording = recording;
        tailer = queue.createTailer();
    }

    /// Moves to the next record.
    ///
    /// @return view of the record, valid until the next call; null after the last record
    /// @throws RecordingException if the next record is invalid
    public RecordView next() {
        while (at >= end) {
            if (!nextBatch()) {
                return null;
            }
        }
        int left = end - at;
        int length = left < RecordLayout.HEADER_BYTES ? left : buffer.get(RecordLayout.U32, at);
        RecordKind kind =
                left < RecordLayout.HEADER_BYTES
                        ? null
                        : RecordKind.of(buffer.get(RecordLayout.U8, at + RecordLayout.KIND));
        if (kind == null || length < kind.leastBytes() || length > left) {
            throw broken("record at byte %d: length=%d, limit=%d".formatted(at, length, left));
        }
        if (length > kind.leastBytes() + RecordLayout.DATA_BYTES) {
            throw broken(
                    "%s at byte %d: length=%d, limit=%d"
                            .formatted(
                                    kind, at, length, kind.leastBytes() + RecordLayout.DATA_BYTES));
        }
        view.wrap(buffer, at, length, track, kind);
        at += RecordLayout.padded(length);
        return view;
    }

    private boolean nextBatch() {
        try (DocumentContext excerpt = tailer.readingDocument()) {
            if (!excerpt.isPresent()) {
                return false;
            }
            excerpts++;
            Bytes<?> bytes = excerpt.wire().bytes();
            long length = bytes.readRemaining();
            if (length < RecordLayout.BATCH_HEADER_BYTES || length > RecordLayout.MAX_BATCH_BYTES) {
                throw broken("bytes=%d, limit=%d".formatted(length, buffer.byteSize()));
            }
            window.clear().limit((int) length);
            bytes.read(window);
            check(length);
            return true;
        } catch (RecordingException e) {
            throw e;
        } catch (RuntimeException | InternalError e) {
            throw new RecordingException("%s: %s".formatted(where(), e), e);
        }
    }

    private void check(long length) {
        track = buffer.get(RecordLayout.U32, RecordLayout.BATCH_TRACK);
        end = buffer.get(RecordLayout.U32, RecordLayout.BATCH_BYTES);
        at = RecordLayout.BATCH_HEADER_BYTES;
        int tracks = recording.header().vms().size() + 1;
        if (track < 0 || track >= tracks) {
            throw broken("track=%d, limit=%d".formatted(track, tracks - 1));
        }
        if (end < at || end > length) {
            throw broken("bytes=%d, limit=%d".formatted(end, length));
        }
    }

    private RecordingException broken(String what) {
        return new RecordingException("%s: %s".formatted(where(), what));
    }

    private String where() {
        return "%s, excerpt %d".formatted(recording.folder(), excerpts);
    }

    @Override
    public void close() {
        tailer.close();
    }
}

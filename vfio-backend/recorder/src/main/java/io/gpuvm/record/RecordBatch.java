package io.gpuvm.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;

/// Batch of records of one track, which becomes an excerpt of the queue. Confined to the recorder's
/// thread.
final class RecordBatch implements MessageHandler {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private final QueueWriter writer;
    private final MemorySegment buffer;
    private int used;

    RecordBatch(QueueWriter writer) {
        this.writer = writer;
        buffer = writer.buffer();
    }

    /// Starts a batch for another track.
    void begin(int track) {
        buffer.set(RecordLayout.U32, RecordLayout.BATCH_TRACK, track);
        used = RecordLayout.BATCH_HEADER_BYTES;
    }

    /// Adds a record from the ring.
    @Override
    public void onMessage(int type, MutableDirectBuffer from, int index, int length) {
        int padded = RecordLayout.padded(length);
        if (used + padded > RecordLayout.MAX_BATCH_BYTES) {
            flush();
        }
        // Records in the ring have the same alignment and padding.
        for (int done = 0; done < padded; done += Long.BYTES) {
            buffer.set(WORD, used + done, from.getLong(index + done));
        }
        used += padded;
    }

    /// Appends the batch to the queue.
    void flush() {
        if (used > RecordLayout.BATCH_HEADER_BYTES) {
            buffer.set(RecordLayout.U32, RecordLayout.BATCH_BYTES, used);
            writer.append(used);
            used = RecordLayout.BATCH_HEADER_BYTES;
        }
    }
}

package io.gpuvm.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;

/// The queue that a recording is written to. Used by one thread at a time.
///
/// The queue's files are mapped, and a page that finds no room on the disk is a fault in the midst
/// of somebody's code. So writing ends while there is still room.
final class QueueWriter implements AutoCloseable {
    /// What is left to others.
    private static final long RESERVE_BYTES = 64 << 20;

    /// How often the disk is asked for its free space.
    private static final long BYTES_BETWEEN_LOOKS = 4 << 20;

    private final Path folder;
    private final LongSupplier freeBytes;
    private final ChronicleQueue queue;
    private final ExcerptAppender appender;
    private final MemorySegment buffer =
            Arena.ofAuto().allocate(RecordLayout.MAX_BATCH_BYTES, RecordLayout.ALIGNMENT);
    private final Bytes<ByteBuffer> excerpt = Bytes.wrapForRead(buffer.asByteBuffer());
    private long untilLook;

    private QueueWriter(Path folder, LongSupplier freeBytes, ChronicleQueue queue) {
        this.folder = folder;
        this.freeBytes = freeBytes;
        this.queue = queue;
        appender = queue.createAppender();
        // Begun and ended by the thread that owns the recorder, used by another in between.
        appender.singleThreadedCheckDisabled(true);
        excerpt.singleThreadedCheckDisabled(true);
    }

    /// @param freeBytes how much room the folder's disk has
    /// @throws RecordingException if it cannot be made
    static QueueWriter open(Path folder, LongSupplier freeBytes) {
        try {
            return new QueueWriter(folder, freeBytes, QueueFiles.in(folder).build());
        } catch (RuntimeException e) {
            throw new RecordingException(
                    "%s cannot hold a recording: %s".formatted(folder, e.getMessage()), e);
        }
    }

    /// How much room the disk of a folder has.
    static LongSupplier freeBytesOf(Path folder) throws IOException {
        FileStore disk = Files.getFileStore(folder);
        return () -> {
            try {
                return disk.getUsableSpace();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /// Where the next excerpt is put together.
    MemorySegment buffer() {
        return buffer;
    }

    /// Appends an excerpt.
    ///
    /// @param bytes of the buffer
    /// @throws RecordingException if there is no room
    void append(int bytes) {
        try {
            look(bytes);
            excerpt.readPositionRemaining(0, bytes);
            appender.writeBytes(excerpt);
        } catch (RecordingException e) {
            throw e;
        } catch (RuntimeException | InternalError e) {
            throw new RecordingException("%s: %s".formatted(folder, e), e);
        }
    }

    private void look(int bytes) {
        untilLook -= bytes;
        if (untilLook > 0) {
            return;
        }
        untilLook = BYTES_BETWEEN_LOOKS;
        long free = freeBytes.getAsLong();
        if (free < RESERVE_BYTES) {
            throw new RecordingException(
                    "%s: free bytes=%d, limit=%d".formatted(folder, free, RESERVE_BYTES));
        }
    }

    @Override
    public void close() {
        appender.close();
        queue.close();
    }
}

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

/// Writer of a recording's queue. Used by one thread at a time.
///
/// The queue's files are mapped, and a write to a page for which the disk has no space causes
/// SIGBUS. Therefore writing stops while there is still space.
final class QueueWriter implements AutoCloseable {
    /// Free space that must remain on the disk.
    private static final long RESERVE_BYTES = 64 << 20;

    /// Bytes written between two checks of the disk's free space.
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
        // One thread creates and closes the recorder; another thread uses it.
        appender.singleThreadedCheckDisabled(true);
        excerpt.singleThreadedCheckDisabled(true);
    }

    /// @param freeBytes free space of the folder's disk
    /// @throws RecordingException if the queue cannot be created
    static QueueWriter open(Path folder, LongSupplier freeBytes) {
        try {
            return new QueueWriter(folder, freeBytes, QueueFiles.in(folder).build());
        } catch (RuntimeException e) {
            throw new RecordingException(
                    "%s cannot hold a recording: %s".formatted(folder, e.getMessage()), e);
        }
    }

    /// Returns a supplier of the free space of a folder's disk.
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

    /// Returns the buffer for the next excerpt.
    MemorySegment buffer() {
        return buffer;
    }

    /// Appends an excerpt.
    ///
    /// @param bytes length in the buffer
    /// @throws RecordingException if the disk has too little free space, or the write fails
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
                    "%s: free bytes=%d, expected at least %d"
                            .formatted(folder, free, RESERVE_BYTES));
        }
    }

    @Override
    public void close() {
        appender.close();
        queue.close();
    }
}

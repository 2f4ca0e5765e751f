package io.gpuvm.record;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;

/// Completed recording. Safe for use by any thread; its cursors are not.
public final class Recording implements AutoCloseable {
    /// Timeout of the library's reads. A completed recording has no writer, so missing data never
    /// arrives.
    private static final long READ_LIMIT_MS = 200;

    private final Path folder;
    private final RecordingHeader header;
    private final ChronicleQueue queue;

    private Recording(Path folder, RecordingHeader header, ChronicleQueue queue) {
        this.folder = folder;
        this.header = header;
        this.queue = queue;
    }

    /// @throws RecordingException if the folder contains no readable recording
    public static Recording open(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new RecordingException("%s is not a folder".formatted(folder));
        }
        RecordingHeader header = RecordingHeader.read(folder);
        requireFiles(folder);
        try {
            return new Recording(folder, header, QueueFiles.in(folder).readOnly(true).build());
        } catch (RuntimeException | InternalError e) {
            throw new RecordingException("%s cannot be read: %s".formatted(folder, e), e);
        }
    }

    public Path folder() {
        return folder;
    }

    public RecordingHeader header() {
        return header;
    }

    /// Returns a cursor before the first record.
    ///
    /// @throws RecordingException if the folder contains no readable queue
    public RecordCursor cursor() {
        try {
            return new RecordCursor(this, queue);
        } catch (RuntimeException | InternalError e) {
            throw new RecordingException("%s cannot be read: %s".formatted(folder, e), e);
        }
    }

    /// Returns the number of the virtual machine with the given name.
    ///
    /// @param name name, or null for the only virtual machine
    /// @throws RecordingException if no virtual machine has this name, or if the name is null and
    ///   there are several
    public int vmOf(String name) {
        if (name == null && header.vms().size() == 1) {
            return 0;
        }
        for (int number = 0; number < header.vms().size(); number++) {
            if (header.vms().get(number).name().equals(name)) {
                return number;
            }
        }
        throw new RecordingException(
                "%s: vm=%s, expected one of %s"
                        .formatted(
                                folder,
                                name,
                                header.vms().stream().map(RecordedVm::name).toList()));
    }

    @Override
    public void close() {
        queue.close();
    }

    private static void requireFiles(Path folder) {
        boolean found = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, QueueFiles.FILES)) {
            for (Path file : files) {
                found = true;
                if (Files.size(file) < QueueFiles.LEAST_BYTES) {
                    throw new RecordingException(
                            "%s is truncated: bytes=%d, expected at least %d"
                                    .formatted(file, Files.size(file), QueueFiles.LEAST_BYTES));
                }
            }
            if (!found || !Files.isRegularFile(folder.resolve(QueueFiles.TABLE))) {
                throw new RecordingException(
                        "%s: the recording's queue is missing, expected %s and %s"
                                .formatted(folder, QueueFiles.TABLE, QueueFiles.FILES));
            }
        } catch (IOException e) {
            throw new RecordingException("%s cannot be read: %s".formatted(folder, e), e);
        }
    }
}

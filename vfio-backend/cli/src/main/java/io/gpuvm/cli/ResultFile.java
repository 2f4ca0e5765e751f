package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// File that is written under a temporary name in the same folder. When complete, it is published
/// under its final name and replaces any existing file.
final class ResultFile implements AutoCloseable {
    /// Permissions of a new file, before the process's umask applies.
    private static final FileAttribute<Set<PosixFilePermission>> USUAL =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"));

    private final Path name;
    private final Path target;
    private final Path part;
    private final FileChannel channel;

    private ResultFile(Path name, Path target, Path part, FileChannel channel) {
        this.name = name;
        this.target = target;
        this.part = part;
        this.channel = channel;
    }

    /// Checks that the file can be written, and creates the empty temporary file.
    ///
    /// @throws ConfigException if the file cannot be written; the message names the file
    static ResultFile create(Path name) {
        try {
            boolean exists = Files.exists(name);
            if (exists && !(Files.isRegularFile(name) && Files.isWritable(name))) {
                throw new ConfigException(name + ": not a writable regular file");
            }
            // A symbolic link is preserved; its target is replaced.
            Path target = exists ? name.toRealPath() : name.toAbsolutePath();
            if (!exists && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new ConfigException(name + ": a dangling link");
            }
            Path part = Files.createTempFile(target.getParent(), ".gpuvm-", ".part", USUAL);
            // The temporary file of an interrupted run is deleted.
            part.toFile().deleteOnExit();
            if (exists) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
            }
            return new ResultFile(
                    name, target, part, FileChannel.open(part, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: cannot be written: %s".formatted(name, FileErrors.reason(e)), e);
        }
    }

    /// Appends all bytes of the buffer.
    ///
    /// @throws CommandFailedException if writing fails; the message names the file
    void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Publishes the file under its name.
    ///
    /// @throws CommandFailedException if publishing fails; the message names the file
    void publish() {
        try {
            channel.close();
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Removes the temporary file, unless it was published.
    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private CommandFailedException failed(IOException e) {
        return new CommandFailedException(
                "%s: cannot be written: %s".formatted(name, FileErrors.reason(e)), e);
    }
}

package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// File with data for the GPU. Its length must not change while it is open. Confined to one thread.
final class InputFile implements AutoCloseable {
    private final Path name;
    private final FileChannel channel;
    private final long bytes;

    private InputFile(Path name, FileChannel channel, long bytes) {
        this.name = name;
        this.channel = channel;
        this.bytes = bytes;
    }

    /// @throws ConfigException if the file cannot be read or is empty; the message names the file
    static InputFile open(Path name) {
        // Opening a pipe would wait for its writer.
        if (Files.exists(name) && !Files.isRegularFile(name)) {
            throw new ConfigException(name + ": not a regular file");
        }
        try {
            long bytes = Files.size(name);
            if (bytes == 0) {
                throw new ConfigException(name + ": bytes=0, expected at least 1");
            }
            return new InputFile(name, FileChannel.open(name), bytes);
        } catch (NoSuchFileException e) {
            throw new ConfigException(name + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: cannot be read: %s".formatted(name, FileErrors.reason(e)), e);
        }
    }

    long bytes() {
        return bytes;
    }

    /// Reads the next bytes, up to the remaining capacity.
    ///
    /// @throws CommandFailedException if reading fails; the message names the file
    void read(ByteBuffer target) {
        try {
            while (target.hasRemaining()) {
                if (channel.read(target) < 0) {
                    throw new EOFException(
                            "bytes=%d, expected=%d, the size when the file was opened"
                                    .formatted(channel.size(), bytes));
                }
            }
        } catch (IOException e) {
            throw new CommandFailedException(
                    "%s: cannot be read: %s".formatted(name, FileErrors.reason(e)), e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "%s: cannot be closed: %s".formatted(name, FileErrors.reason(e)), e);
        }
    }
}

package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Input and output files of the commands that process machine code. Errors name the file.
final class CodeFiles {
    private static final long MAX_BYTES = 64 << 20;

    private CodeFiles() {}

    static byte[] read(Path file) {
        try {
            long bytes = Files.size(file);
            if (bytes > MAX_BYTES) {
                throw new ConfigException(file + ": bytes=" + bytes + ", limit=" + MAX_BYTES);
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + FileErrors.reason(e), e);
        }
    }

    static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be written: " + FileErrors.reason(e), e);
        }
    }
}

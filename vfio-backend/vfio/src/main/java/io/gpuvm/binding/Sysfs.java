package io.gpuvm.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// How the kernel is told: a file of sysfs takes one value with one write.
@FunctionalInterface
public interface Sysfs {
    /// The kernel's own.
    Sysfs KERNEL = (file, value) -> Files.writeString(file, value, StandardOpenOption.WRITE);

    /// @throws IOException if there is no such file, or if the kernel refuses
    void write(Path file, String value) throws IOException;
}

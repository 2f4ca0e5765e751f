package io.gpuvm.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Write access to sysfs; a file of sysfs accepts one value per write.
@FunctionalInterface
public interface Sysfs {
    /// Sysfs of the running kernel.
    Sysfs KERNEL = (file, value) -> Files.writeString(file, value, StandardOpenOption.WRITE);

    /// @throws IOException if the file does not exist, or if the kernel refuses the value
    void write(Path file, String value) throws IOException;
}

package io.gpuvm.tests.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;

/// Open descriptors of this process.
public final class OpenDescriptors {
    private OpenDescriptors() {}

    /// Returns the number of all descriptors except those of files in a file system, which the JVM
    /// opens and closes at any time on its own threads.
    public static int count() {
        return (int)
                Stream.of(new File("/proc/self/fd").listFiles())
                        .map(OpenDescriptors::target)
                        .filter(target -> !target.startsWith("/") || target.startsWith("/memfd:"))
                        .count();
    }

    /// Returns the target of a descriptor. For a closed descriptor, returns a file path, which is
    /// not counted.
    private static String target(File descriptor) {
        try {
            return Files.readSymbolicLink(descriptor.toPath()).toString();
        } catch (IOException e) {
            return "/closed";
        }
    }
}

package io.gpuvm.tests.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;

/// The descriptors that this process has open.
public final class OpenDescriptors {
    private OpenDescriptors() {}

    /// Counts all but those of files, which the JVM opens and closes on threads of its own, and
    /// when it likes.
    public static int count() {
        return (int)
                Stream.of(new File("/proc/self/fd").listFiles())
                        .map(OpenDescriptors::target)
                        .filter(target -> !target.startsWith("/") || target.startsWith("/memfd:"))
                        .count();
    }

    /// What a descriptor is of; some file, if it was closed meanwhile.
    private static String target(File descriptor) {
        try {
            return Files.readSymbolicLink(descriptor.toPath()).toString();
        } catch (IOException e) {
            return "/closed";
        }
    }
}

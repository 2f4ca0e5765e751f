package io.gpuvm.guests.real;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Class path of `gpuvm run` in a guest: this build's modules, and the libraries that the command
/// uses. Recorders, tests, logs and figures need further libraries, whose jars are several times as
/// large.
final class GuestClassPath {
    /// Beginnings of the names of libraries' jars. Without Logback, the guest logs nothing.
    private static final List<String> LIBRARIES =
            List.of("agrona-", "asm-", "jackson-", "jffi-", "jnr-", "picocli-", "slf4j-");

    /// Beginning of the names of the modules' jars.
    private static final String MODULE = "gpuvm-";

    /// Folder of a module's classes, in which Maven's tests find modules without a jar.
    private static final Path CLASSES = Path.of("target", "classes");

    private GuestClassPath() {}

    /// Returns the part of this JVM's class path that a guest needs.
    static String ofThisBuild() {
        return of(System.getProperty("java.class.path"));
    }

    /// Returns the part of a class path that a guest needs.
    static String of(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> isNeeded(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isNeeded(Path entry) {
        String name = entry.getFileName().toString();
        return entry.endsWith(CLASSES)
                || name.startsWith(MODULE)
                || LIBRARIES.stream().anyMatch(name::startsWith);
    }
}

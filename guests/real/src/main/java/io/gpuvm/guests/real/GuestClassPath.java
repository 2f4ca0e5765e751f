package io.gpuvm.guests.real;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Class path of `gpuvm run` in a guest: this build's modules, and the libraries that the command
/// uses. Recorders, tests, logs and figures need other libraries, whose jars are several times as
/// large.
final class GuestClassPath {
    /// Beginnings of the names of libraries' jars. Without Logback, the guest logs nothing.
    private static final List<String> LIBRARIES =
            List.of("agrona-", "asm-", "jackson-", "jffi-", "jnr-", "picocli-", "slf4j-");

    /// Beginnings of the names of the jars that the runtime's tests use in addition.
    private static final List<String> TEST_LIBRARIES =
            List.of("gpuvm-tests-", "junit-", "opentest4j-");

    /// Module with the runtime's tests.
    private static final String SUITE = "tests/runtime-suite";

    /// Beginning of the names of the modules' jars.
    private static final String MODULE = "gpuvm-";

    /// Folder of a module's classes, in which Maven's tests find modules without a jar.
    private static final Path CLASSES = Path.of("target", "classes");

    private GuestClassPath() {}

    /// Returns the part of this JVM's class path that a guest needs. In a Maven test, the class
    /// path contains the folder of the tested module's classes, even if the module has only tests.
    static String ofThisBuild() {
        return Stream.of(of(System.getProperty("java.class.path")).split(File.pathSeparator))
                .filter(entry -> Files.exists(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// Returns the part of a class path that a guest needs.
    static String of(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> isNeeded(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// Returns the additional part of a class path that the runtime's tests need.
    ///
    /// @param root folder of the project
    /// @throws IllegalStateException if the project has not been built
    static String ofSuite(Path root) {
        Path module = root.resolve(SUITE);
        Path libraries = module.resolve("target/lib");
        if (!Files.isDirectory(libraries)) {
            throw new IllegalStateException(
                    "%s does not exist: build with ./gpuvm or mvn verify".formatted(libraries));
        }
        try (Stream<Path> jars = Files.list(libraries)) {
            Stream<Path> needed = jars.filter(jar -> beginsWithAny(jar, TEST_LIBRARIES)).sorted();
            return Stream.concat(Stream.of(module.resolve(CLASSES)), needed)
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean beginsWithAny(Path jar, List<String> prefixes) {
        String name = jar.getFileName().toString();
        return prefixes.stream().anyMatch(name::startsWith);
    }

    private static boolean isNeeded(Path entry) {
        return entry.endsWith(CLASSES)
                || entry.getFileName().toString().startsWith(MODULE)
                || beginsWithAny(entry, LIBRARIES);
    }
}

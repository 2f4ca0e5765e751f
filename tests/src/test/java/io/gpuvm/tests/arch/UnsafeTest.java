package io.gpuvm.tests.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Test of class names in strings, which reflection and generated code use. Bytecode does not show
/// such dependencies.
class UnsafeTest {
    /// Sources of the class that obtains the `Unsafe` instance, and of the class that writes the
    /// name `Unsafe` in generated code.
    private static final Set<String> ALLOWED = Set.of("GeneratedNames.java", "RowAccess.java");

    @Test
    void givenAllSources_whenSearchedForUnsafe_thenOnlyKernelCompilerNamesUnsafe()
            throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("gpuvm.root")))) {
            files.filter(file -> file.toString().contains("/src/main/java/"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(UnsafeTest::namesUnsafe)
                    .forEach(file -> found.add(file.getFileName().toString()));
        }

        assertEquals(new TreeSet<>(ALLOWED), found);
    }

    private static boolean namesUnsafe(Path file) {
        try {
            String text = Files.readString(file);
            return text.contains("sun.misc") || text.contains("jdk.internal");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Compiler of a backend's test clients in C.
final class CProgram {
    private static final String COMPILER = "cc";
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));

    /// Headers of the protocol.
    private static final Path HEADERS = ROOT.resolve("pv-driver/c");

    private CProgram() {}

    /// Compiles a source file of this project; skips the test if no compiler is installed.
    ///
    /// @param source path of the source file in the project
    /// @param folder folder for the program
    static Path compile(String source, Path folder) throws IOException, InterruptedException {
        assumeTrue(isInstalled(), "no C compiler (cc) is installed");
        Path program = folder.resolve("client");
        Path output = folder.resolve("compiler");
        Process compiler =
                new ProcessBuilder(
                                COMPILER,
                                "-std=c11",
                                "-O2",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-I" + HEADERS,
                                "-o",
                                program.toString(),
                                ROOT.resolve(source).toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertEquals(0, compiler.waitFor(), () -> read(output));
        return program;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, COMPILER)));
    }
}

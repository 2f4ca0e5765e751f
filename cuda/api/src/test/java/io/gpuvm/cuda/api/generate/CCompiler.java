package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// C compiler, on a folder with all generated C files.
final class CCompiler {
    private static final String COMPILER = "gcc";
    private static final Path HEADERS =
            Path.of(System.getProperty("gpuvm.root"), "cuda/client/include");

    private final Path folder;

    /// Writes the generated C files into a folder; skips the test if no compiler is installed.
    CCompiler(ApiTable table, Path folder) throws IOException {
        assumeTrue(isInstalled(), "no C compiler (gcc) is installed");
        this.folder = folder;
        for (GeneratedFile file : GeneratedFile.all()) {
            if (file.folder().equals("c")) {
                Files.writeString(
                        folder.resolve(file.fileName()), file.generator().generate(table));
            }
        }
    }

    /// Compiles a source into an object, with warnings as errors.
    void compile(String source, String... options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-c", source, "-o", source + ".o"));
        run(arguments);
    }

    /// Compiles and links a program.
    Path program(String... sources) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-o", "program"));
        arguments.addAll(List.of(sources));
        run(arguments);
        return folder.resolve("program");
    }

    /// Runs the compiler with arguments; its errors fail the test.
    void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I."));
        command.add("-I" + HEADERS);
        command.addAll(arguments);
        Path output = folder.resolve("compiler.log");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        int status = process.waitFor();
        assertEquals(0, status, Files.readString(output));
    }

    /// Runs a program, and returns the lines that it prints.
    List<String> linesOf(Path program) throws IOException, InterruptedException {
        Path output = folder.resolve("program.log");
        Process process =
                new ProcessBuilder(program.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertEquals(0, process.waitFor());
        return Files.readAllLines(output);
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, COMPILER)));
    }
}

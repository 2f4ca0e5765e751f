package io.gpuvm.cuda.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Test program in C that consists of cases: without arguments, it prints their names; with a name,
/// it runs the case in a process of its own. Its exit status is 0 if all checks of the case
/// succeed.
final class TestProgram {
    private static final String COMPILER = "gcc";
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Path MODULE = ROOT.resolve("cuda/client");
    private static final Path GENERATED = MODULE.resolve("target/generated");

    /// Folder of the sources of tests.
    static final Path TESTS = MODULE.resolve("src/test/c");

    private final Path program;
    private final Path folder;
    private final Map<String, String> environment;

    private TestProgram(Path program, Path folder, Map<String, String> environment) {
        this.program = program;
        this.folder = folder;
        this.environment = environment;
    }

    /// Compiles the library's transport and sources of tests. Skips the test if the compiler, or
    /// its sanitizer, is not installed.
    ///
    /// @param folder folder for the program and its files
    /// @param options further options of the compiler
    /// @param sources names of files in `src/test/c`, or other paths
    static TestProgram compile(
            Path folder, Sanitizer sanitizer, List<String> options, List<String> sources)
            throws IOException, InterruptedException {
        assumeTrue(canCompile(folder, sanitizer), "no C compiler (gcc) with " + sanitizer);
        List<String> command = new ArrayList<>(options);
        command.addAll(sources(MODULE.resolve("src/core")));
        command.add(GENERATED.resolve("cuda_call_names.c").toString());
        command.add(GENERATED.resolve("cuda_statuses.c").toString());
        sources.forEach(source -> command.add(TESTS.resolve(source).toString()));
        Path program = folder.resolve("program-" + sanitizer);
        compile(folder, sanitizer, program, command);
        return new TestProgram(program, folder, sanitizer.environment());
    }

    /// Compiles the meaning of the library's calls, without its transport, and sources of tests
    /// into a shared library. Skips the test if the compiler, or its sanitizer, is not installed.
    ///
    /// @param folder folder for the library
    /// @param sources names of files in `src/test/c`
    /// @return file of the library
    static Path compileCalls(Path folder, Sanitizer sanitizer, List<String> sources)
            throws IOException, InterruptedException {
        assumeTrue(canCompile(folder, sanitizer), "no C compiler (gcc) with " + sanitizer);
        List<String> command = new ArrayList<>(List.of("-shared", "-fPIC"));
        command.addAll(sources(MODULE.resolve("src/calls")));
        command.addAll(sources(GENERATED));
        sources.forEach(source -> command.add(TESTS.resolve(source).toString()));
        Path library = folder.resolve("libcalls.so");
        compile(folder, sanitizer, library, command);
        return library;
    }

    /// Compiles a program that uses a library of [#compileCalls].
    ///
    /// @param folder folder for the program and its files
    /// @param source name of a file in `src/test/c`
    static TestProgram link(Path folder, Sanitizer sanitizer, Path library, String source)
            throws IOException, InterruptedException {
        Path program = folder.resolve("program");
        List<String> command = new ArrayList<>();
        command.add(TESTS.resolve(source).toString());
        command.addAll(List.of(library.toString(), "-Wl,-rpath," + library.getParent()));
        compile(folder, sanitizer, program, command);
        return new TestProgram(program, folder, sanitizer.environment());
    }

    private static void compile(
            Path folder, Sanitizer sanitizer, Path output, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-Wall", "-Wextra", "-Werror", "-g"));
        command.addAll(sanitizer.options());
        for (Path headers :
                List.of(
                        MODULE.resolve("include"),
                        MODULE.resolve("src"),
                        MODULE.resolve("src/core"),
                        ROOT.resolve("pv-driver/c"),
                        GENERATED)) {
            command.add("-I" + headers);
        }
        command.addAll(arguments);
        Path log = folder.resolve("compiler-" + sanitizer);
        assertEquals(0, compiler(log, output, command), () -> read(log));
    }

    private static List<String> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).filter(name -> name.endsWith(".c")).sorted().toList();
        }
    }

    private static boolean canCompile(Path folder, Sanitizer sanitizer)
            throws IOException, InterruptedException {
        boolean isInstalled =
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, COMPILER)));
        if (!isInstalled) {
            return false;
        }
        Path source = folder.resolve("empty.c");
        Files.writeString(source, "int main(void) { return 0; }\n");
        List<String> command = new ArrayList<>(sanitizer.options());
        command.add(source.toString());
        return compiler(folder.resolve("empty.log"), folder.resolve("empty"), command) == 0;
    }

    private static int compiler(Path log, Path program, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMPILER, "-std=c11", "-pthread"));
        command.addAll(List.of("-o", program.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    /// Returns the names of the cases.
    List<String> cases() throws IOException, InterruptedException {
        return lines();
    }

    /// Returns the lines that the program prints without arguments.
    List<String> lines() throws IOException, InterruptedException {
        Path output = folder.resolve("cases");
        assertEquals(0, run(output), () -> read(output));
        return Files.readAllLines(output);
    }

    /// Runs a case. Its output fails the test if the exit status is not 0.
    void check(String name) throws IOException, InterruptedException {
        Path output = folder.resolve(name);
        assertEquals(0, run(output, name), () -> read(output));
    }

    private int run(Path output, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GPUVM_CUDA"));
        builder.environment().putAll(environment);
        builder.environment().put("TMPDIR", folder.toString());
        Process process = builder.start();
        try {
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}

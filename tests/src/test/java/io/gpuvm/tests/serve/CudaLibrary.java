package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.asm.Assembler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// `libcuda.so.1` and `libcudart.so`, compiled with options, and test programs that are linked with
/// them.
final class CudaLibrary {
    private static final String COMPILER = "gcc";
    private static final Path MODULE =
            Path.of(System.getProperty("gpuvm.root")).resolve("cuda/client");
    private static final Path GENERATED = MODULE.resolve("target/generated");
    private static final Path SOURCES = MODULE.resolve("src/test/c");
    private static final Path RUNTIME =
            Path.of(System.getProperty("gpuvm.root")).resolve("cuda/runtime");
    private static final Path RUNTIME_GENERATED = RUNTIME.resolve("target/generated");
    private static final Path RUNTIME_SOURCES = RUNTIME.resolve("src/test/c");
    private static final Path RUNTIME_INCLUDE = RUNTIME.resolveSibling("include");

    private final Path folder;
    private final List<String> options;

    private CudaLibrary(Path folder, List<String> options) {
        this.folder = folder;
        this.options = options;
    }

    /// Compiles the library and the kernels of the tests. Skips the test if the compiler, or a
    /// library for the options, is not installed.
    ///
    /// @param folder folder for all files
    /// @param options further options of the compiler
    static CudaLibrary build(Path folder, List<String> options)
            throws IOException, InterruptedException {
        assumeTrue(canCompile(folder, options), "no C compiler (gcc) with options " + options);
        List<String> command = new ArrayList<>();
        command.add(MODULE.resolve("build").toString());
        command.addAll(List.of(GENERATED.toString(), folder.toString(), "-g"));
        command.addAll(options);
        run(folder.resolve("build.log"), command);
        return new CudaLibrary(folder, options).withKernels();
    }

    /// Copies `libcuda.so.1` and `libcudart.so` of this build, and assembles the kernels of the
    /// tests. Skips the test if the compiler is not installed.
    ///
    /// @param folder folder for all files
    static CudaLibrary ofThisBuild(Path folder) throws IOException, InterruptedException {
        assumeTrue(canCompile(folder, List.of()), "no C compiler (gcc)");
        for (Path module : List.of(MODULE, RUNTIME)) {
            try (Stream<Path> libraries = Files.list(module.resolve("target/lib"))) {
                for (Path library : libraries.toList()) {
                    Files.copy(library, folder.resolve(library.getFileName()));
                }
            }
        }
        return new CudaLibrary(folder, List.of()).withKernels();
    }

    private CudaLibrary withKernels() throws IOException {
        String kernels = Files.readString(SOURCES.resolve("api.sass"));
        byte[] cubin = Assembler.assemble("api.sass", kernels).toBytes();
        Files.write(folder.resolve("api.cubin"), cubin);
        return this;
    }

    private static boolean canCompile(Path folder, List<String> options)
            throws IOException, InterruptedException {
        boolean isInstalled =
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, COMPILER)));
        if (!isInstalled) {
            return false;
        }
        Path source = folder.resolve("empty.c");
        Files.writeString(source, "int main(void) { return 0; }\n");
        List<String> command = new ArrayList<>(List.of(COMPILER, source.toString(), "-o"));
        command.add(folder.resolve("empty").toString());
        command.addAll(options);
        return start(folder.resolve("empty.log"), command).waitFor() == 0;
    }

    /// Compiles a program of cases.
    ///
    /// @param name name of the source in `cuda/client/src/test/c`, without suffix
    Path program(String name) throws IOException, InterruptedException {
        Path program = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of(COMPILER, "-std=c11", "-g", "-O1"));
        command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-pthread"));
        command.addAll(options);
        command.addAll(List.of("-I" + MODULE.resolve("include"), "-I" + GENERATED));
        for (String source : List.of("checks.c", "api.c", "api_real.c", name + ".c")) {
            command.add(SOURCES.resolve(source).toString());
        }
        command.addAll(List.of(folder.resolve("libcuda.so.1").toString(), "-o"));
        command.add(program.toString());
        run(folder.resolve(name + ".log"), command);
        return program;
    }

    /// Compiles `libcudart.so` into the folder of this library.
    void addRuntime() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(RUNTIME.resolve("build").toString());
        command.addAll(List.of(RUNTIME_GENERATED.toString(), folder.toString(), "-g"));
        command.addAll(options);
        run(folder.resolve("runtime.log"), command);
    }

    /// Compiles a program of cases for the runtime API. The program finds `libcudart.so` without a
    /// search path for libraries.
    ///
    /// @param name name of the source in `cuda/runtime/src/test/c`, without suffix
    Path runtimeProgram(String name) throws IOException, InterruptedException {
        Path program = folder.resolve(name);
        List<String> command = runtimeCompiler(options);
        command.add(SOURCES.resolve("checks.c").toString());
        command.add(RUNTIME_SOURCES.resolve("runtime.c").toString());
        command.add(RUNTIME_SOURCES.resolve(name + ".c").toString());
        command.addAll(List.of(folder.resolve("libcudart.so").toString(), "-ldl"));
        command.add("-Wl,--enable-new-dtags,-rpath," + folder);
        command.addAll(List.of("-o", program.toString()));
        run(folder.resolve(name + ".log"), command);
        return program;
    }

    /// Compiles the sources of `libcudart.so` with the tests of its parts, and a driver library
    /// without a device. Skips the test if the compiler, or a library for the options, is not
    /// installed.
    ///
    /// @param folder folder for all files
    /// @param options further options of the compiler
    static CudaLibrary ofRuntimeParts(Path folder, List<String> options)
            throws IOException, InterruptedException {
        assumeTrue(canCompile(folder, options), "no C compiler (gcc) with options " + options);
        Path driver = folder.resolve("libcuda.so.1");
        List<String> command = runtimeCompiler(options);
        command.addAll(List.of("-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"));
        command.add(RUNTIME_SOURCES.resolve("fake_driver.c").toString());
        command.add(RUNTIME_SOURCES.resolve("fake_rest.c").toString());
        command.addAll(List.of("-o", driver.toString()));
        run(folder.resolve("driver.log"), command);
        command = runtimeCompiler(options);
        command.add("-DGPUVM_RUNTIME_LEVEL=12040");
        command.add(SOURCES.resolve("checks.c").toString());
        command.add(RUNTIME_SOURCES.resolve("parts_test.c").toString());
        command.addAll(sources(RUNTIME.resolve("src")));
        command.addAll(sources(RUNTIME_GENERATED));
        command.addAll(List.of(driver.toString(), "-ldl"));
        command.addAll(List.of("-o", folder.resolve("parts_test").toString()));
        run(folder.resolve("parts_test.log"), command);
        return new CudaLibrary(folder, options);
    }

    private static List<String> runtimeCompiler(List<String> options) {
        List<String> command = new ArrayList<>(List.of(COMPILER, "-std=c11", "-g", "-O1"));
        command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-pthread"));
        command.addAll(options);
        for (Path headers :
                List.of(
                        RUNTIME.resolve("src"),
                        RUNTIME_SOURCES,
                        RUNTIME_INCLUDE,
                        RUNTIME_GENERATED,
                        SOURCES)) {
            command.add("-I" + headers);
        }
        return command;
    }

    private static List<String> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).filter(name -> name.endsWith(".c")).sorted().toList();
        }
    }

    /// Returns the names of a program's cases.
    List<String> cases(Path program) throws IOException, InterruptedException {
        Path output = folder.resolve(program.getFileName() + ".cases");
        assertEquals(0, client("", output, program.toString()).start().waitFor());
        return Files.readAllLines(output);
    }

    /// Runs a case on a backend. Its output fails the test if the exit status is not 0.
    ///
    /// @param device value of `GPUVM_CUDA`
    void check(String device, Path program, String name) throws IOException, InterruptedException {
        Path output = folder.resolve(program.getFileName() + "." + name);
        Process process = client(device, output, program.toString(), name).start();
        try {
            assertEquals(0, process.waitFor(), () -> read(output));
        } finally {
            process.destroyForcibly();
        }
    }

    /// Starts a case on a backend; its standard output is a pipe, its errors are those of the test.
    ///
    /// @param device value of `GPUVM_CUDA`
    Process start(String device, Path program, String name) throws IOException {
        return client(device, folder.resolve("unused"), program.toString(), name)
                .redirectErrorStream(false)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private ProcessBuilder client(String device, Path output, String... command) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GPUVM_"));
        builder.environment().put("GPUVM_CUDA", device);
        builder.environment().put("GPUVM_CUDA_DEBUG", "1");
        builder.environment().put("GPUVM_TEST_CUBIN", folder.resolve("api.cubin").toString());
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        // The library's addresses are in a gap that AddressSanitizer protects by default.
        builder.environment().put("ASAN_OPTIONS", "protect_shadow_gap=0");
        builder.environment().put("TMPDIR", folder.toString());
        return builder;
    }

    private static void run(Path log, List<String> command)
            throws IOException, InterruptedException {
        assertEquals(0, start(log, command).waitFor(), () -> read(log));
    }

    private static Process start(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}

package io.gpuvm.ptx.clang;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// clang of `tests/clang/setup`, as a compiler of sources that use `random.h`.
///
/// @param program path of the compiler
record Clang(Path program) {
    private static final String CACHED = "gpuvm/guest";
    private static final long DEADLINE_S = 120;
    private static final Path HEADERS = Path.of(System.getProperty("gpuvm.root"), "cuda/include");
    private static final List<String> COMMON =
            List.of(
                    "-std=c++17",
                    "-fwrapv",
                    "-fno-strict-aliasing",
                    "-ffp-contract=off",
                    "-fno-exceptions",
                    "-Wno-everything",
                    "-I.");

    /// Returns a version that has been set up; empty if it has not.
    static Optional<Clang> version(int version) {
        String guests = System.getenv("GPUVM_GUEST_CACHE");
        String caches = System.getenv("XDG_CACHE_HOME");
        Path folder =
                guests != null
                        ? Path.of(guests)
                        : caches != null
                                ? Path.of(caches, CACHED)
                                : Path.of(System.getProperty("user.home"), ".cache", CACHED);
        Path program = folder.resolve("clang-" + version).resolve("clang");
        return Files.isExecutable(program) ? Optional.of(new Clang(program)) : Optional.empty();
    }

    /// Compiles a source to PTX for sm_20.
    ///
    /// @param folder folder for files
    /// @param level level of optimization: `-O0` to `-O3`
    String ptx(Path folder, String source, String level) {
        write(folder, source);
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(
                List.of(
                        "-x",
                        "cuda",
                        "--cuda-device-only",
                        "-nocudainc",
                        "-nocudalib",
                        "--cuda-gpu-arch=sm_20"));
        command.addAll(COMMON);
        command.addAll(List.of(level, "-S", "source.cc", "-o", "source.ptx"));
        await(start(folder, command, "device.log"), folder, "device.log");
        try {
            return Files.readString(folder.resolve("source.ptx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Compiles a program in CUDA C++ with the headers of `cuda/include`: the device's part to PTX
    /// for sm_20.
    ///
    /// @param folder folder for files
    /// @param standard version of C++: `c++11` to `c++20`
    /// @param options more options of clang
    String cudaPtx(Path folder, String source, String standard, String... options) {
        write(folder, source);
        List<String> command = cuda("--cuda-device-only", standard);
        command.addAll(List.of(options));
        command.addAll(List.of("-O2", "-S", "source.cc", "-o", "source.ptx"));
        await(start(folder, command, "device.log"), folder, "device.log");
        try {
            return Files.readString(folder.resolve("source.ptx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Compiles the host's part of a program in CUDA C++ with the headers of `cuda/include`.
    ///
    /// @param folder folder for files
    /// @param standard version of C++: `c++11` to `c++20`
    void cudaHost(Path folder, String source, String standard) {
        write(folder, source);
        List<String> command = cuda("--cuda-host-only", standard);
        command.addAll(List.of("-O0", "-c", "source.cc", "-o", "source.o"));
        await(start(folder, command, "host.log"), folder, "host.log");
    }

    private List<String> cuda(String pass, String standard) {
        return new ArrayList<>(
                List.of(
                        program.toString(),
                        "-x",
                        "cuda",
                        pass,
                        "-nocudainc",
                        "-nocudalib",
                        "--cuda-gpu-arch=sm_20",
                        "-Wno-unknown-cuda-version",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        "-isystem",
                        HEADERS.toString(),
                        "-include",
                        "gpuvm_cuda.h",
                        "-std=" + standard));
    }

    /// Compiles a source to a program for this host, and returns the program's output.
    ///
    /// @param folder folder for files
    byte[] output(Path folder, String source) {
        write(folder, source);
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program.toString(), "-x", "c++"));
        command.addAll(COMMON);
        command.addAll(List.of("-O0", "-fPIE", "-c", "source.cc", "-o", "source.o"));
        await(start(folder, command, "host.log"), folder, "host.log");
        List<String> link = List.of("gcc", "source.o", "-o", "program", "-lm");
        await(start(folder, link, "host.log"), folder, "host.log");
        await(start(folder, List.of("./program"), "output"), folder, "output");
        try {
            return Files.readAllBytes(folder.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path folder, String source) {
        try (InputStream header = Clang.class.getResourceAsStream("/io/gpuvm/ptx/clang/random.h")) {
            Files.write(folder.resolve("random.h"), header.readAllBytes());
            Files.writeString(folder.resolve("source.cc"), source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start(Path folder, List<String> command, String output) {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(folder.resolve(output + ".err").toFile())
                    .redirectOutput(folder.resolve(output).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(Process process, Path folder, String output) {
        try {
            if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("seconds=" + DEADLINE_S + " exceeded, in " + folder);
            }
            if (process.exitValue() != 0) {
                byte[] errors = Files.readAllBytes(folder.resolve(output + ".err"));
                throw new AssertionError(
                        "status=%d\n%s"
                                .formatted(
                                        process.exitValue(),
                                        new String(errors, StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}

package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestSetupException;
import io.gpuvm.guests.real.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Programs in C of `tests/hostile-guest/cuda`, which use gpuvm's `libcuda.so.1`.
///
/// @param library library under test
/// @param built folder of the programs and of their module
record CudaPrograms(CudaLibrary library, RunFolder folder, Path built, Children children) {
    static final String NEIGHBOUR = "neighbour";
    static final String VICTIM = "victim";
    static final String SURVIVOR = "survivor";
    static final String FORKS = "forks";

    private static final String SOURCES = "tests/hostile-guest/cuda";
    private static final String HEADERS = "tests/cuda-clients/programs/c";
    private static final int SHOWN_LINES = 10;

    /// Compiles the programs.
    ///
    /// @throws GuestSetupException if the library is not built, or the compiler fails
    static CudaPrograms build(RunFolder folder, Children children) throws InterruptedException {
        CudaLibrary library = CudaLibrary.ofThisBuild();
        Path built = folder.path().resolve("programs");
        try {
            Files.createDirectory(built);
            Files.write(built.resolve(HostileModule.NAME + ".cubin"), HostileModule.CUBIN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CudaPrograms programs = new CudaPrograms(library, folder, built, children);
        for (String name : List.of(NEIGHBOUR, VICTIM, SURVIVOR, FORKS)) {
            programs.compile(name);
        }
        return programs;
    }

    private void compile(String name) throws InterruptedException {
        Path root = GuestFiles.locate().root();
        Path log = folder.path().resolve("compiler.log");
        List<String> command = new ArrayList<>(List.of("gcc", "-std=c11", "-O2", "-pthread"));
        command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-I" + root.resolve(HEADERS)));
        command.addAll(List.of("-o", built.resolve(name).toString()));
        command.add(root.resolve(SOURCES).resolve(name + ".c").toString());
        command.add(library.file().toString());
        int status;
        try {
            status = children.start(command, log, log).waitFor();
        } catch (UncheckedIOException e) {
            throw new GuestSetupException("gcc is not installed: " + e.getMessage());
        }
        if (status != 0) {
            throw new GuestSetupException(
                    "%s.c: %s"
                            .formatted(name, String.join("\n", RunFolder.tail(log, SHOWN_LINES))));
        }
    }

    /// Starts a program, with a pipe for its output.
    ///
    /// @param name name of the program
    /// @param socket socket of the backend
    /// @param arguments arguments behind the folder of the module
    CudaProgram start(String name, Path socket, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(built.resolve(name).toString(), built.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment =
                new HashMap<>(library.environment(socket, System.getenv()));
        Path errors = folder.path().resolve(name + ".log");
        return CudaProgram.of(name, children.start(command, environment, null, errors), errors);
    }
}

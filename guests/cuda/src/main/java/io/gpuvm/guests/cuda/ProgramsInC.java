package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.CudaModules;
import io.gpuvm.guests.real.GuestFiles;
import java.nio.file.Path;
import java.util.List;

/// Programs in C of `tests/cuda-clients/programs/c`, which measure themselves.
///
/// @param folder folder of the programs
/// @param modules folder of their modules
public record ProgramsInC(Path folder, Path modules) {
    /// Names of the workloads.
    public static final List<String> WORKLOADS =
            List.of("mmul", "lud", "cpy", "pincpy", "nop", "delay");

    /// Compiles the programs and assembles their modules, if necessary.
    ///
    /// @throws io.gpuvm.guests.real.GuestSetupException if there is no compiler
    public static ProgramsInC prepare() {
        ClientFiles files =
                new ClientFiles(GuestFiles.locate(), Path.of(System.getProperty("java.io.tmpdir")));
        CudaModules.assemble(files.files());
        files.prepare(CudaClient.C);
        return new ProgramsInC(files.built(CudaClient.C), files.kernels());
    }

    /// Returns the command line of the workloads.
    ///
    /// @param argument `-`, to answer requests from the standard input as `gpuvm measure` does
    public List<String> workloads(String argument) {
        return List.of(folder.resolve("workloads").toString(), modules.toString(), argument);
    }

    /// Returns the command line of the program that keeps the GPU busy until SIGTERM.
    ///
    /// @param lengthUs duration of a kernel, in microseconds, 1 to 1,000,000
    /// @param launches number of kernels in flight, 1 to 1024
    public List<String> spin(int lengthUs, int launches) {
        return List.of(
                folder.resolve("spin").toString(),
                modules.toString(),
                "" + lengthUs,
                "" + launches);
    }

    /// Returns the command line of the program that runs commands on request, and measures them.
    ///
    /// @param output file for the output of each command
    public List<String> timed(Path output) {
        return List.of(folder.resolve("timed").toString(), output.toString());
    }

    /// Returns the command line of the program that measures calls.
    public List<String> calls() {
        return List.of(folder.resolve("calls").toString(), modules.toString());
    }
}

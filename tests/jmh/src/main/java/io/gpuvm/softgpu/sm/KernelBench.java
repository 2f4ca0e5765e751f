package io.gpuvm.softgpu.sm;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `./gpuvm bench-kernels`: how fast kernels run, and what it costs to compile them.
@Command(
        name = "gpuvm bench-kernels",
        description = "Measures how fast kernels run, and what it costs to compile them.",
        subcommands = {LoopBench.class, SizeBench.class, CompileBench.class},
        synopsisSubcommandLabel = "MEASUREMENT")
public final class KernelBench {
    private KernelBench() {}

    public static void main(String... arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new KernelBench()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}

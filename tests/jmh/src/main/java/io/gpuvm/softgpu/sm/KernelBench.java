package io.gpuvm.softgpu.sm;

import io.gpuvm.cli.Main;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `./gpuvm bench-kernels`: speed of kernels, and cost of their compilation.
@Command(
        name = "gpuvm bench-kernels",
        description = "Measure the execution and compilation of kernels.",
        subcommands = {LoopBench.class, SizeBench.class, CompileBench.class},
        synopsisSubcommandLabel = "MEASUREMENT")
public final class KernelBench {
    private KernelBench() {}

    public static void main(String... arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return Main.configured(new CommandLine(new KernelBench()));
    }
}

package io.gpuvm.bench.ptx;

import io.gpuvm.guests.real.OneLineErrors;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-ptx`: quality of compiled PTX, and speed of the compiler.
@Command(
        name = "bench-ptx",
        description = {
            "Measure the PTX compiler.",
            "Without --pairs, the compiler's speed: warm, in a new JVM, and for modules of different"
                    + " sizes. docs/ptx-quality.md has details. The last line of the output is JSON."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 all goals are met, 1 a goal is missed, a result is wrong or the run"
                    + " failed, 2 wrong arguments."
        })
public final class PtxBench implements OneLineErrors {
    @Spec private CommandSpec spec;

    @Option(
            names = "--pairs",
            paramLabel = "FOLDER",
            description =
                    "Folder with other compilers' code of kernels and PTX of the same kernels, as"
                            + " tests/clang/quality prepares it: numbers of executed instructions are"
                            + " compared. Default: none, measurement of the compiler.")
    private Path pairs;

    @Option(
            names = "--sources",
            paramLabel = "FOLDER",
            description =
                    "Folder with PTX whose compilation is measured in addition. Default: none.")
    private Path sources;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        boolean met =
                pairs != null
                        ? new CodeQuality(out).compare(pairs)
                        : new CompileSpeed(out).measure(sources);
        out.flush();
        return met ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}

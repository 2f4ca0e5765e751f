package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxReport;
import io.gpuvm.ptx.PtxResult;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm ptxas`: compiles PTX into a cubin. Has the options of NVIDIA's `ptxas` that compilers of
/// CUDA pass to it, so that they can call this command instead.
@Command(
        name = "ptxas",
        description = {
            "Compile PTX to machine code for the GPU (sm_20).",
            "docs/ptx.md describes the accepted language."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  gpuvm ptxas docs/examples/vadd.ptx -o vadd.cubin -v",
            "",
            "Exit status: 0 compiled; 1 errors in the source, one line is printed for each;"
                    + " 2 wrong arguments."
        })
final class PtxasCommand implements Callable<Integer> {
    private static final Set<String> GPUS = Set.of("sm_20", "sm_21");
    private static final int MOST_OPTIMIZATION = 4;
    private static final int BITS = 64;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Source in PTX.")
    private Path source;

    @Option(
            names = {"-o", "--output-file", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "File for the cubin.")
    private Path output;

    @Option(
            names = {"-v", "--verbose"},
            description =
                    "Registers, shared, constant and local memory, stack and spills of each"
                            + " function.")
    private boolean verbose;

    @Option(
            names = {"--maxrregcount", "-maxrregcount"},
            paramLabel = "N",
            description =
                    "Maximum number of registers of a thread, 16 to 63; the nearest of these for"
                            + " other numbers. Default: 63.")
    private Integer maxRegisters;

    @Option(
            names = {"-O", "--opt-level"},
            paramLabel = "LEVEL",
            defaultValue = "3",
            description =
                    "Level of optimization: 0 for none; 1 to 4 have the same effect. Default: 3.")
    private int optimization;

    @Option(
            names = {"--gpu-name", "-arch"},
            paramLabel = "GPU",
            defaultValue = "sm_20",
            description = "GPU: sm_20, or sm_21, which runs the same code. Default: sm_20.")
    private String gpu;

    @Option(
            names = {"-m", "--machine"},
            paramLabel = "BITS",
            defaultValue = "64",
            description = "Width of addresses, which the source declares: 64. Default: 64.")
    private int machine;

    @Override
    public Integer call() {
        check();
        PrintWriter err = spec.commandLine().getErr();
        String text = new String(CodeFiles.read(source), StandardCharsets.UTF_8);
        PtxResult result = PtxCompiler.compile(text, options(err));
        result.diagnostics().forEach(each -> err.println(each.in(source.toString())));
        if (result.isCompiled()) {
            if (verbose) {
                PtxReport.of(result, gpu).forEach(err::println);
            }
            CodeFiles.write(output, result.cubin().toBytes());
        }
        err.flush();
        return result.isCompiled() ? 0 : 1;
    }

    private void check() {
        if (!GPUS.contains(gpu)) {
            throw new ConfigException("--gpu-name=" + gpu + ", expected one of sm_20, sm_21");
        }
        if (optimization < 0 || optimization > MOST_OPTIMIZATION) {
            throw new ConfigException(
                    "--opt-level=%d, expected 0 to %d".formatted(optimization, MOST_OPTIMIZATION));
        }
        if (machine != BITS) {
            throw new ConfigException("--machine=%d, expected=%d".formatted(machine, BITS));
        }
        if (maxRegisters != null && maxRegisters < 1) {
            throw new ConfigException(
                    "--maxrregcount=%d, expected at least 1".formatted(maxRegisters));
        }
    }

    private PtxOptions options(PrintWriter err) {
        PtxOptions options = PtxOptions.DEFAULT;
        if (maxRegisters != null) {
            PtxOptions limited = options.withNearestRegisters(maxRegisters);
            if (limited.maxRegisters() != maxRegisters) {
                err.printf(
                        "warning: --maxrregcount=%d, nearest possible number=%d%n",
                        maxRegisters, limited.maxRegisters());
            }
            options = limited;
        }
        return optimization == 0 ? options.withoutOptimization() : options;
    }
}

package io.gpuvm.bench;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// What benchmarks have in common that run workloads in two ways, in turns: options, and what
/// becomes of errors. The limits are those of who takes the values.
public final class ComparisonOptions {
    private static final int HELP_WIDTH = 100;

    @Option(
            names = "--gpu",
            paramLabel = "soft[,KEY=VALUE]...",
            defaultValue = "soft",
            description =
                    "The software GPU, as for the other commands: see 'gpuvm help run'. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "The size of each workload, in place of its usual one.")
    private Integer size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description =
                    "How many rounds count. In each, both run once, and the first is now the one, now"
                            + " the other. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            description =
                    "How many rounds before that do not count: both compile then. Default: as many"
                            + " as usual for what is run.")
    private Integer warmups;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the input follows from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    /// A benchmark that answers an error of known kind with one line and an exit status.
    ///
    /// @param statuses by kind; the first that fits counts, so that narrow ones come first
    public static CommandLine commandLine(
            Object benchmark, Map<Class<? extends Exception>, Integer> statuses) {
        CommandLine commandLine = new CommandLine(benchmark);
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            for (Map.Entry<Class<? extends Exception>, Integer> known : statuses.entrySet()) {
                if (known.getKey().isInstance(e)) {
                    command.getErr().println("gpuvm: " + e.getMessage());
                    return known.getValue();
                }
            }
            throw e;
        });
        return commandLine;
    }

    /// The value of `--gpu`.
    public String gpu() {
        return gpu;
    }

    /// @param usual what it is unless the user says otherwise
    public int size(int usual) {
        return size == null ? usual : size;
    }

    public int rounds() {
        return rounds;
    }

    /// @param usual how many unless the user says otherwise
    public int warmups(int usual) {
        return warmups == null ? usual : warmups;
    }

    public long seed() {
        return seed;
    }
}

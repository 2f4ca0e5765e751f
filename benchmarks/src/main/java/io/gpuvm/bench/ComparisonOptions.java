package io.gpuvm.bench;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Options common to benchmarks that run workloads in two ways, in turns, and their handling of
/// errors. The users of the values check their limits.
public final class ComparisonOptions {
    private static final int HELP_WIDTH = 100;

    @Option(
            names = "--gpu",
            paramLabel = "soft[,KEY=VALUE]...",
            defaultValue = "soft",
            description =
                    "Software GPU, as for other commands; see 'gpuvm help run' (default:"
                            + " ${DEFAULT-VALUE}).")
    private String gpu;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "Size of each workload (default: the workload's own).")
    private Integer size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description =
                    "Number of measured rounds. In each, both sides run once; they alternate in"
                            + " running first (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            description =
                    "Number of warm-up rounds, in which both sides compile (default: as usual"
                            + " for the workload).")
    private Integer warmups;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the input (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    /// Returns a benchmark that reports an error of known kind with one line and an exit status.
    ///
    /// @param statuses exit statuses by kind of error; the first match counts, so specific kinds
    ///   come first
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

    /// Returns the value of `--gpu`.
    public String gpu() {
        return gpu;
    }

    /// @param usual size without the option
    public int size(int usual) {
        return size == null ? usual : size;
    }

    public int rounds() {
        return rounds;
    }

    /// @param usual number without the option
    public int warmups(int usual) {
        return warmups == null ? usual : warmups;
    }

    public long seed() {
        return seed;
    }
}

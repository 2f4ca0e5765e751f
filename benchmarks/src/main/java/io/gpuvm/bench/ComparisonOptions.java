package io.gpuvm.bench;

import picocli.CommandLine.Option;

/// Options common to benchmarks that run workloads alternately on two sides. The benchmarks check
/// the limits of the values.
public final class ComparisonOptions {
    @Option(
            names = "--gpu",
            paramLabel = "soft[,KEY=VALUE]...",
            defaultValue = "soft",
            description = "Software GPU, with keys as for 'gpuvm run'. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "Size of each workload. Default: the default size of the workload.")
    private Integer size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description =
                    "Number of measured rounds, 1 to 10000. Each side runs once per round; the"
                            + " sides take turns in running first. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            description =
                    "Number of warm-up rounds, in which both sides compile. Default: the benchmark's"
                            + " own.")
    private Integer warmups;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the input. Default: ${DEFAULT-VALUE}.")
    private long seed;

    /// Returns the value of `--gpu`.
    public String gpu() {
        return gpu;
    }

    /// @param usual size for a command line without `--size`
    public int size(int usual) {
        return size == null ? usual : size;
    }

    public int rounds() {
        return rounds;
    }

    /// @param usual number of rounds for a command line without `--warmups`
    public int warmups(int usual) {
        return warmups == null ? usual : warmups;
    }

    public long seed() {
        return seed;
    }
}

package io.gpuvm.softgpu.sm;

import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/// What all measurements of kernels take.
final class BenchOptions {
    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            defaultValue = "compiled",
            description =
                    "What runs the kernels: interpreter or compiled. Default: ${DEFAULT-VALUE}.")
    Engine engine;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description = "How often each is measured, in turn. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "How long all run in turn before. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    /// How many runs a time is the shortest of: whatever else the machine does makes it only
    /// longer.
    private static final int RUNS = 5;

    /// Runs all in turn, for as long as was asked for.
    void warmUp(List<Runnable> runs) {
        long limitNs = (long) (warmUpSeconds * TimeUnit.SECONDS.toNanos(1));
        long start = System.nanoTime();
        while (System.nanoTime() - start < limitNs) {
            runs.forEach(Runnable::run);
        }
    }

    /// Time of a run in ns.
    double nanos(Runnable run) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < RUNS; i++) {
            long start = System.nanoTime();
            run.run();
            least = Math.min(least, System.nanoTime() - start);
        }
        return least;
    }
}

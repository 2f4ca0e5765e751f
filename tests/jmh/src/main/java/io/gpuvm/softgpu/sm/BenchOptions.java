package io.gpuvm.softgpu.sm;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
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
    ExecutionMode mode;

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
            description =
                    "How long all run in turn before, and then on until the JVM has compiled nothing"
                            + " for as long, a minute at most. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    /// How many runs a time is the shortest of: whatever else the machine does makes it only
    /// longer.
    private static final int RUNS = 5;

    /// Large kernels are many methods, which the JVM compiles for long after they have become hot.
    private static final long MOST_WARM_UP_NS = TimeUnit.MINUTES.toNanos(1);

    /// Runs all in turn, for as long as was asked for, and until the JVM compiles nothing more.
    void warmUp(List<Runnable> runs) {
        long limitNs = (long) (warmUpSeconds * TimeUnit.SECONDS.toNanos(1));
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long start = System.nanoTime();
        long quietSince = start;
        long compiledMs = compiler.getTotalCompilationTime();
        while (System.nanoTime() - quietSince < limitNs
                && System.nanoTime() - start < Math.max(limitNs, MOST_WARM_UP_NS)) {
            runs.forEach(Runnable::run);
            long nowMs = compiler.getTotalCompilationTime();
            if (nowMs != compiledMs) {
                compiledMs = nowMs;
                quietSince = System.nanoTime();
            }
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

package io.gpuvm.softgpu.sm;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/// Options common to all kernel benchmarks.
final class BenchOptions {
    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            defaultValue = "compiled",
            description = "Execution mode: interpreter or compiled. Default: ${DEFAULT-VALUE}.")
    ExecutionMode mode;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description = "Number of alternating measurements. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description =
                    "Duration of the warm-up in seconds. The warm-up continues until the JVM has"
                            + " not compiled for as long, at most one minute. Default:"
                            + " ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    /// Number of runs whose shortest time counts, because other load on the machine only lengthens
    /// times.
    private static final int RUNS = 5;

    /// Limit of the warm-up. Large kernels consist of many methods, which the JVM still compiles
    /// long after they have become hot.
    private static final long MOST_WARM_UP_NS = TimeUnit.MINUTES.toNanos(1);

    /// Runs all operations in turn for the requested time, and until the JVM no longer compiles,
    /// within a limit.
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

    /// Returns the shortest time of several runs, in nanoseconds.
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

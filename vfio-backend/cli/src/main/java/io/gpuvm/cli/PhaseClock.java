package io.gpuvm.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Durations of the phases of `gpuvm exec`. A phase may have several parts. Confined to one thread.
final class PhaseClock {
    private static final double NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long[] ns = new long[ExecPhase.values().length];

    /// Executes a part of a phase; the time counts if the part succeeds.
    void time(ExecPhase phase, Runnable part) {
        time(
                phase,
                () -> {
                    part.run();
                    return null;
                });
    }

    /// Executes a part of a phase, and returns the result.
    <T> T time(ExecPhase phase, Supplier<T> part) {
        long start = System.nanoTime();
        T result = part.get();
        ns[phase.ordinal()] += System.nanoTime() - start;
        return result;
    }

    void print(PrintWriter out) {
        for (ExecPhase phase : ExecPhase.values()) {
            out.printf("%-9s%12.3f ms%n", phase, ns[phase.ordinal()] / NS_PER_MS);
        }
    }
}

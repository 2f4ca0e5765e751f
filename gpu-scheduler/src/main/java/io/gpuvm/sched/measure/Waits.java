package io.gpuvm.sched.measure;

import java.util.Arrays;

/// How long commands waited, in nanoseconds; zeros if there were none. Exact: the value at p99 is
/// the least one that 99 of 100 commands did not exceed.
///
/// @param count how many commands
public record Waits(long count, long p50Ns, long p99Ns, long maxNs) {
    private static final double P50 = 0.50;
    private static final double P99 = 0.99;

    /// @param ns changed: it is sorted
    static Waits of(long[] ns) {
        Arrays.sort(ns);
        return ns.length == 0
                ? new Waits(0, 0, 0, 0)
                : new Waits(ns.length, at(P50, ns), at(P99, ns), ns[ns.length - 1]);
    }

    private static long at(double part, long[] sorted) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}

package io.gpuvm.sched.measure;

import io.gpuvm.statistics.Samples;

/// Waits of commands, in nanoseconds; all 0 if there are no commands. The percentiles are exact:
/// `p99Ns` is the smallest value that 99 of 100 commands did not exceed.
///
/// @param count number of commands
public record Waits(long count, long p50Ns, long p99Ns, long maxNs) {
    private static final double P50 = 0.50;
    private static final double P99 = 0.99;

    static Waits of(long[] ns) {
        Samples all = Samples.of(ns);
        return new Waits(ns.length, (long) all.rank(P50), (long) all.rank(P99), (long) all.rank(1));
    }
}

package io.gpuvm.sched.measure;

import io.gpuvm.statistics.Samples;
import java.util.List;

/// Statistics of GPU shares over all intervals of one length. Component names are keys of `gpuvm
/// fairness --json`.
///
/// @param jainMedian median of Jain's index; 1 if the index is undefined in all intervals
/// @param jainWorst smallest index; 1 if the index is undefined in all intervals
/// @param maxDeviationPct largest difference between any virtual machine's share and its
///   entitlement, in percent of the GPU time used in the interval
/// @param windows number of intervals
public record IntervalFigures(
        double jainMedian, double jainWorst, double maxDeviationPct, int windows) {
    private static final double PERCENT = 100;

    static IntervalFigures of(List<Interval> windows) {
        Samples jain =
                Samples.of(
                        windows.stream()
                                .mapToDouble(Interval::jain)
                                .filter(index -> !Double.isNaN(index))
                                .toArray());
        double deviation = windows.stream().mapToDouble(Interval::maxDeviation).max().orElse(0);
        return new IntervalFigures(
                jain.count() == 0 ? 1 : jain.median(),
                jain.count() == 0 ? 1 : jain.least(),
                PERCENT * deviation,
                windows.size());
    }
}

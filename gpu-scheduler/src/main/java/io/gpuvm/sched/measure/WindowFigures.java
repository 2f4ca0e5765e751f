package io.gpuvm.sched.measure;

import java.util.Arrays;
import java.util.List;

/// What many windows of one length have in common. Names are keys of `gpuvm fairness --json`.
///
/// @param jainMedian median of Jain's index; 1 if it meant something in none of them
/// @param jainWorst the smallest one
/// @param maxDeviationPct the largest difference between any virtual machine's share and what it
///   should have been, in percent of the GPU time that was used in that window
/// @param windows how many there were
public record WindowFigures(
        double jainMedian, double jainWorst, double maxDeviationPct, int windows) {
    private static final double PERCENT = 100;

    static WindowFigures of(List<Window> windows) {
        double[] jain =
                windows.stream()
                        .mapToDouble(Window::jain)
                        .filter(index -> !Double.isNaN(index))
                        .sorted()
                        .toArray();
        double deviation = windows.stream().mapToDouble(Window::maxDeviation).max().orElse(0);
        return new WindowFigures(
                median(jain), jain.length == 0 ? 1 : jain[0], PERCENT * deviation, windows.size());
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        return switch (sorted.length) {
            case 0 -> 1;
            default ->
                    sorted.length % 2 == 1
                            ? sorted[half]
                            : Arrays.stream(sorted, half - 1, half + 1).average().orElseThrow();
        };
    }
}

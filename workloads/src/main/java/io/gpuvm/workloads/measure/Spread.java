package io.gpuvm.workloads.measure;

import java.util.Arrays;

/// Where samples lie. Between two samples quartiles are interpolated.
///
/// @param least the smallest sample
/// @param quartile1 a quarter of the samples is below
/// @param median half of the samples is below
/// @param quartile3 three quarters of the samples are below
/// @param most the largest sample
public record Spread(double least, double quartile1, double median, double quartile3, double most) {
    /// @param samples at least one, in any order
    public static Spread of(double... samples) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        return new Spread(
                at(sorted, 0), at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75), at(sorted, 1));
    }

    /// Half the distance of the quartiles, as a part of the median; 0 if that is 0.
    public double relative() {
        return median == 0 ? 0 : (quartile3 - quartile1) / 2 / median;
    }

    private static double at(double[] sorted, double part) {
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}

package io.gpuvm.workloads.measure;

import io.gpuvm.statistics.Samples;

/// Distribution of samples. Quartiles are interpolated between samples.
///
/// @param least smallest sample
/// @param quartile1 lower quartile
/// @param median median
/// @param quartile3 upper quartile
/// @param most largest sample
public record Spread(double least, double quartile1, double median, double quartile3, double most) {
    /// @param samples at least one sample, in any order
    public static Spread of(double... samples) {
        Samples all = Samples.of(samples);
        return new Spread(
                all.least(), all.quantile(0.25), all.median(), all.quantile(0.75), all.most());
    }

    /// Returns half of the interquartile range, relative to the median; 0 if the median is 0.
    public double relative() {
        return median == 0 ? 0 : (quartile3 - quartile1) / 2 / median;
    }
}

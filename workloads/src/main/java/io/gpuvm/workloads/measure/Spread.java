package io.gpuvm.workloads.measure;

import io.gpuvm.statistics.Samples;

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
        Samples all = Samples.of(samples);
        return new Spread(
                all.least(), all.quantile(0.25), all.median(), all.quantile(0.75), all.most());
    }

    /// Half the distance of the quartiles, as a part of the median; 0 if that is 0.
    public double relative() {
        return median == 0 ? 0 : (quartile3 - quartile1) / 2 / median;
    }
}

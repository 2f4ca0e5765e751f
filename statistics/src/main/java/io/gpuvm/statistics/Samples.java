package io.gpuvm.statistics;

import java.util.Arrays;
import java.util.Collection;

/// Samples in ascending order, with exact quantiles.
///
/// Supports both usual definitions of a quantile: an actual sample ([#rank]), for example the time
/// that 99 of 100 commands did not exceed; and a value between two samples ([#quantile]), for
/// example the median of ratios. If there are too many samples to store, use HdrHistogram.
/// Immutable.
public final class Samples {
    private static final double HALF = 0.5;

    private final double[] sorted;

    private Samples(double[] sorted) {
        Arrays.sort(sorted);
        this.sorted = sorted;
    }

    /// @param values samples in any order, of any unit
    public static Samples of(double... values) {
        return new Samples(values.clone());
    }

    /// @param values samples in any order, of any unit; exact below 2^53
    public static Samples of(long... values) {
        return new Samples(Arrays.stream(values).asDoubleStream().toArray());
    }

    /// @param values samples in any order, of any unit
    public static Samples of(Collection<? extends Number> values) {
        return new Samples(values.stream().mapToDouble(Number::doubleValue).toArray());
    }

    /// Returns the number of samples.
    public int count() {
        return sorted.length;
    }

    /// Returns the smallest sample; NaN if there are no samples.
    public double least() {
        return quantile(0);
    }

    /// Returns the largest sample; NaN if there are no samples.
    public double most() {
        return quantile(1);
    }

    /// Returns the median; the mean of the two middle samples if the number of samples is even; NaN
    /// if there are no samples.
    public double median() {
        return quantile(HALF);
    }

    /// Returns the value below which the given fraction of the samples lies, interpolated linearly
    /// between two samples; NaN if there are no samples.
    ///
    /// @param part fraction, 0 to 1
    public double quantile(double part) {
        check(part);
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /// Returns the smallest sample that at least the given fraction of the samples does not exceed;
    /// 0 if there are no samples.
    ///
    /// @param part fraction, 0 to 1
    public double rank(double part) {
        check(part);
        int rank = (int) Math.ceil(part * sorted.length);
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
    }

    private static void check(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("part=%s, expected 0 to 1".formatted(part));
        }
    }
}

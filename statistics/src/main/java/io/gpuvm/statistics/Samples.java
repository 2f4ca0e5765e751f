package io.gpuvm.statistics;

import java.util.Arrays;
import java.util.Collection;

/// Samples in ascending order, and where their quantiles lie, exactly.
///
/// There are two usual answers to where a part of the samples ends, and both are here: a sample
/// that there was ([#rank]), as for the time that 99 of 100 commands did not exceed; and a value
/// between two samples ([#quantile]), as for a median of ratios. Where samples are too many to be
/// kept, HdrHistogram takes their place. Immutable.
public final class Samples {
    private static final double HALF = 0.5;

    private final double[] sorted;

    private Samples(double[] sorted) {
        Arrays.sort(sorted);
        this.sorted = sorted;
    }

    /// @param values in any order, of any unit
    public static Samples of(double... values) {
        return new Samples(values.clone());
    }

    /// @param values in any order, of any unit; exact below 2^53
    public static Samples of(long... values) {
        return new Samples(Arrays.stream(values).asDoubleStream().toArray());
    }

    /// @param values in any order, of any unit
    public static Samples of(Collection<? extends Number> values) {
        return new Samples(values.stream().mapToDouble(Number::doubleValue).toArray());
    }

    /// Number of samples.
    public int count() {
        return sorted.length;
    }

    /// The smallest sample; NaN if there is none.
    public double least() {
        return quantile(0);
    }

    /// The largest sample; NaN if there is none.
    public double most() {
        return quantile(1);
    }

    /// The middle of the samples, between two of them if their number is even; NaN if there is
    /// none.
    public double median() {
        return quantile(HALF);
    }

    /// The value that a part of the samples is below, between two samples by as much as that asks
    /// for; NaN if there is none.
    ///
    /// @param part 0 to 1
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

    /// The least sample that a part of the samples does not exceed; 0 if there is none.
    ///
    /// @param part 0 to 1
    public double rank(double part) {
        check(part);
        int rank = (int) Math.ceil(part * sorted.length);
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
    }

    private static void check(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("part=%s, limit=0 to 1".formatted(part));
        }
    }
}

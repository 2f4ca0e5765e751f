package io.gpuvm.evaluation.report;

import io.gpuvm.statistics.Samples;
import java.util.Collection;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/// Median of samples with their quartiles.
record Spread(double low, double median, double high, int count) {
    private static final double QUARTER = 0.25;

    /// Returns the spread of samples; empty if there are no samples.
    static Optional<Spread> of(Collection<? extends Number> values) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Samples samples = Samples.of(values);
        return Optional.of(
                new Spread(
                        samples.quantile(QUARTER),
                        samples.median(),
                        samples.quantile(1 - QUARTER),
                        samples.count()));
    }

    /// Returns the spread of a single value.
    static Spread exactly(double value) {
        return new Spread(value, value, value, 1);
    }

    /// Returns the spread of converted samples.
    ///
    /// @param conversion increasing function
    Spread map(DoubleUnaryOperator conversion) {
        return new Spread(
                conversion.applyAsDouble(low),
                conversion.applyAsDouble(median),
                conversion.applyAsDouble(high),
                count);
    }

    /// Returns the median, with the quartiles if there are several samples.
    String text(Quantity quantity) {
        String middle = quantity.text(median);
        return count < 2
                ? middle
                : "%s (%s to %s)".formatted(middle, quantity.text(low), quantity.text(high));
    }
}

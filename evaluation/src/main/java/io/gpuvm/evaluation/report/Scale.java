package io.gpuvm.evaluation.report;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;

/// Scale of an axis.
///
/// @param title title; null for an axis without a title
/// @param quantity kind of the axis's numbers
/// @param isLogarithmic whether equal distances are equal factors
record Scale(String title, Quantity quantity, boolean isLogarithmic) {
    private static final int TICKS = 4;

    /// Ranges of ratios below this factor have a linear axis.
    private static final double LINEAR = 4;

    /// Fraction of the range that is added at each end.
    private static final double MARGIN = 0.04;

    private static final double DECIMAL = 10;
    private static final List<Double> ROUND = List.of(1.0, 2.0, 5.0);
    private static final List<Double> POWERS = List.of(1.0);

    /// Number of decades of the longest axis with labels at all round numbers.
    private static final double FEW_DECADES = 1.7;

    /// Axis with the position of values that a logarithmic axis cannot show.
    ///
    /// @param floor smallest value that the axis shows; smaller values have this position
    record Fitted(ValueAxis axis, double floor) {}

    /// Returns an axis that contains all values. An axis of fractions ends at 0 and 1, so that
    /// panels are comparable. A logarithmic axis shows values that are not positive at the lower
    /// end of the axis.
    Fitted axis(DoubleStream values) {
        double[] all = values.filter(Double::isFinite).sorted().toArray();
        double[] shown =
                DoubleStream.of(all).filter(value -> !isLogarithmic || value > 0).toArray();
        double low = shown.length == 0 ? 1 : shown[0];
        double high = shown.length == 0 ? DECIMAL : shown[shown.length - 1];
        if (quantity == Quantity.PERCENT) {
            return linear(0, 1);
        }
        if (!isLogarithmic) {
            return linear(Math.min(0, low), high);
        }
        return shown.length == all.length && quantity == Quantity.RATIO && high < low * LINEAR
                ? linear(low, high)
                : logarithmic(low, high, shown.length < all.length);
    }

    private Fitted linear(double low, double high) {
        double range = high > low ? high - low : Math.max(Math.abs(high), 1);
        double bottom = low == 0 ? 0 : low - range * MARGIN;
        double top = high + range * MARGIN;
        NumberAxis axis = new NumberAxis(title);
        axis.setRange(bottom, top);
        axis.setTickUnit(new NumberTickUnit(roundStep((top - bottom) / TICKS)), true, true);
        axis.setNumberFormatOverride(new Labels(quantity));
        return new Fitted(axis, bottom);
    }

    private Fitted logarithmic(double low, double high, boolean hasZeros) {
        double margin = high > low ? Math.pow(high / low, MARGIN) : 2;
        double floor = hasZeros ? low / margin / margin : low;
        double bottom = floor / margin;
        double top = high * margin;
        LabelledLogAxis axis = new LabelledLogAxis(title, labels(low, top), quantity);
        axis.setBase(DECIMAL);
        axis.setSmallestValue(bottom);
        axis.setRange(bottom, top);
        return new Fitted(axis, floor);
    }

    private List<Double> labels(double low, double high) {
        if (quantity.isBinary()) {
            return labels(low, high, 2, POWERS);
        }
        boolean isShort = Math.log10(high / low) <= FEW_DECADES;
        return labels(low, high, DECIMAL, isShort ? ROUND : POWERS);
    }

    /// Returns the multiples of powers in a range. In a long range, some powers are omitted.
    private static List<Double> labels(
            double low, double high, double base, List<Double> multiples) {
        double span = Math.log(high / low) / Math.log(base);
        int step = multiples.size() > 1 ? 1 : Math.max(1, (int) Math.ceil(span / TICKS));
        long first = (long) Math.floor(Math.log(low) / Math.log(base));
        long last = (long) Math.ceil(Math.log(high) / Math.log(base));
        List<Double> labels = new ArrayList<>();
        for (long power = Math.floorDiv(first, step) * step; power <= last; power += step) {
            for (double multiple : multiples) {
                double value = multiple * Math.pow(base, power);
                if (value >= low * (1 - MARGIN) && value <= high) {
                    labels.add(value);
                }
            }
        }
        return labels;
    }

    /// Returns the next larger of 1, 2, 2.5 and 5 times a power of ten.
    private static double roundStep(double rough) {
        double power = Math.pow(DECIMAL, Math.floor(Math.log10(rough)));
        return DoubleStream.of(1, 2, 2.5, 5)
                .map(step -> step * power)
                .filter(step -> step >= rough)
                .findFirst()
                .orElse(DECIMAL * power);
    }

    /// Texts of a quantity, as the format of an axis.
    private static final class Labels extends NumberFormat {
        private static final long serialVersionUID = 1L;

        private final Quantity quantity;

        private Labels(Quantity quantity) {
            this.quantity = quantity;
        }

        @Override
        public StringBuffer format(double value, StringBuffer to, FieldPosition position) {
            return to.append(value == 0 ? "0" : quantity.text(value));
        }

        @Override
        public StringBuffer format(long value, StringBuffer to, FieldPosition position) {
            return format((double) value, to, position);
        }

        @Override
        public Number parse(String text, ParsePosition position) {
            throw new UnsupportedOperationException("labels are not parsed");
        }
    }
}

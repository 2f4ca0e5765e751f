package io.gpuvm.workloads.measure;

import java.math.BigDecimal;
import java.math.MathContext;

/// Formatter of durations and rates for display: at least three digits, and a scaled unit.
public final class Figures {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P"};
    private static final BigDecimal STEP = BigDecimal.valueOf(1000);
    private static final MathContext DIGITS = new MathContext(3);

    private Figures() {}

    /// Formats a duration, for instance `1.25 ms`.
    public static String duration(double ns) {
        return scaled(ns, TIMES);
    }

    /// Formats a rate, for instance `3.50 Gflop/s`; prefixes are powers of 1000.
    public static String rate(double perSecond, String unit) {
        return scaled(perSecond, PREFIXES) + unit + "/s";
    }

    private static String scaled(double value, String[] units) {
        BigDecimal figure = BigDecimal.valueOf(value).round(DIGITS);
        int unit = 0;
        while (figure.compareTo(STEP) >= 0 && unit < units.length - 1) {
            figure = figure.divide(STEP);
            unit++;
        }
        int whole = figure.precision() - figure.scale();
        int decimals = Math.max(0, DIGITS.getPrecision() - whole);
        return figure.setScale(decimals, DIGITS.getRoundingMode()).toPlainString()
                + " "
                + units[unit];
    }
}

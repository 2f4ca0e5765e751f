package io.gpuvm.evaluation.report;

import java.util.Locale;

/// Kind of numbers, which are written with at most three significant digits. The space between
/// number and unit does not break.
enum Quantity {
    /// Number without a unit.
    NUMBER(new double[] {1, 1e3, 1e6, 1e9}, "", "\u00a0k", "\u00a0M", "\u00a0G"),
    /// Number whose usual values are powers of two.
    COUNT(new double[] {1}, ""),
    /// Duration in nanoseconds.
    DURATION(new double[] {1, 1e3, 1e6, 1e9}, "\u00a0ns", "\u00a0us", "\u00a0ms", "\u00a0s"),
    /// Length in bytes.
    BYTES(
            new double[] {1, 1L << 10, 1L << 20, 1L << 30},
            "\u00a0B",
            "\u00a0KiB",
            "\u00a0MiB",
            "\u00a0GiB"),
    /// Bandwidth in bytes per second.
    BANDWIDTH(
            new double[] {1, 1L << 10, 1L << 20, 1L << 30},
            "\u00a0B/s",
            "\u00a0KiB/s",
            "\u00a0MiB/s",
            "\u00a0GiB/s"),
    /// Ratio of two durations.
    RATIO(new double[] {1}, ""),
    /// Fraction of 1.
    PERCENT(new double[] {0.01}, "\u00a0%");

    private static final int DIGITS = 3;

    private final double[] units;
    private final String[] names;

    Quantity(double[] units, String... names) {
        this.units = units;
        this.names = names;
    }

    /// Returns whether powers of two are round numbers of this quantity.
    boolean isBinary() {
        return this == BYTES || this == BANDWIDTH || this == COUNT;
    }

    /// Returns the number with its unit.
    String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "none";
        }
        int unit = 0;
        while (unit + 1 < units.length && Math.abs(value) >= units[unit + 1] * (1 - 5e-4)) {
            unit++;
        }
        return digits(value / units[unit]) + names[unit];
    }

    /// Returns a number with at most three significant digits, without trailing zeros.
    private static String digits(double value) {
        if (value == 0) {
            return "0";
        }
        int before = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
        int decimals = Math.max(0, DIGITS - Math.max(before, 1));
        if (before < 0) {
            decimals = Math.min(DIGITS + 1, decimals - before);
        }
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        text = text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
        return text.equals("-0") ? "0" : text;
    }
}

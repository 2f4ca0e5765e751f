package io.gpuvm.top;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Short texts of numbers: at most six characters. Pure functions.
final class Figures {
    private static final double THOUSAND = 1000;
    private static final double KIB = 1024;
    private static final double HUNDRED = 100;
    private static final double TEN = 10;
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String PLAIN_BARS = "_.-=+*%#";

    private Figures() {}

    /// Returns a part of a whole in percent.
    static String percent(double part) {
        return "%.0f%%".formatted(part * HUNDRED);
    }

    /// Returns a number or a rate.
    static String count(double value) {
        return value < TEN && value > 0 && value != Math.rint(value)
                ? decimal(value, 1)
                : scaled(value, THOUSAND, "", "k", "M", "G", "T");
    }

    /// Returns a number of bytes.
    static String bytes(double value) {
        return scaled(value, KIB, "", "K", "M", "G", "T");
    }

    /// Returns a duration; `-` for 0.
    static String duration(long ns) {
        if (ns <= 0) {
            return "-";
        }
        if (ns < TimeUnit.MINUTES.toNanos(2)) {
            return scaled(ns, THOUSAND, "ns", "us", "ms", "s");
        }
        return clock(TimeUnit.NANOSECONDS.toSeconds(ns));
    }

    /// Returns a long duration: minutes and seconds, hours, or days.
    static String clock(long seconds) {
        long minutes = TimeUnit.SECONDS.toMinutes(seconds);
        long hours = TimeUnit.SECONDS.toHours(seconds);
        long days = TimeUnit.SECONDS.toDays(seconds);
        if (hours == 0) {
            return "%dm%02d".formatted(minutes, seconds - TimeUnit.MINUTES.toSeconds(minutes));
        }
        return days == 0
                ? "%dh%02d".formatted(hours, minutes - TimeUnit.HOURS.toMinutes(hours))
                : "%dd%02d".formatted(days, hours - TimeUnit.DAYS.toHours(days));
    }

    /// Returns the last values as a line of bars, the latest at the right.
    ///
    /// @param values parts of a whole
    /// @param isUnicode whether the terminal shows block characters
    static String sparkline(List<Double> values, int width, boolean isUnicode) {
        String bars = isUnicode ? BARS : PLAIN_BARS;
        StringBuilder line = new StringBuilder();
        int first = Math.max(0, values.size() - width);
        for (double value : values.subList(first, values.size())) {
            int bar = (int) Math.round(Math.clamp(value, 0, 1) * (bars.length() - 1));
            line.append(bars.charAt(bar));
        }
        return line.insert(0, " ".repeat(Math.max(0, width - line.length()))).toString();
    }

    /// Returns a bar whose filled part shows a value.
    static String bar(double value, int width, boolean isUnicode) {
        int filled = (int) Math.round(Math.clamp(value, 0, 1) * width);
        return (isUnicode ? "█" : "#").repeat(filled)
                + (isUnicode ? "░" : ".").repeat(width - filled);
    }

    private static String scaled(double value, double step, String... units) {
        int unit = 0;
        double left = value;
        // 999.5 would become 1000 of the smaller unit.
        while (unit < units.length - 1 && left >= THOUSAND - 1.0 / 2) {
            left /= step;
            unit++;
        }
        boolean isWhole = unit == 0 || left >= TEN;
        return (isWhole ? decimal(left, 0) : decimal(left, 1)) + units[unit];
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}

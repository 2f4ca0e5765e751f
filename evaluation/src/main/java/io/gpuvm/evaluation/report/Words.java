package io.gpuvm.evaluation.report;

import java.util.List;

/// Phrases of computed sentences.
final class Words {
    private Words() {}

    /// Returns `a, b and c`.
    static String list(List<String> items) {
        return items.size() < 2
                ? String.join("", items)
                : String.join(", ", items.subList(0, items.size() - 1)) + " and " + items.getLast();
    }

    /// Returns `below`, `within` or `above`.
    static String position(double value, double low, double high) {
        return value < low ? "below" : value > high ? "above" : "within";
    }

    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /// Returns a ratio as a change in percent: `12 % more`.
    static String change(double ratio) {
        return ratio >= 1
                ? Quantity.PERCENT.text(ratio - 1) + " more"
                : Quantity.PERCENT.text(1 - ratio) + " less";
    }
}

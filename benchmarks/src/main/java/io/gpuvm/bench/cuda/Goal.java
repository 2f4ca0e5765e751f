package io.gpuvm.bench.cuda;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.measure.Spread;
import io.gpuvm.workloads.measure.SpreadJson;

/// Measured ratio or duration, and the highest median that is acceptable.
///
/// @param name name, which is also the key in JSON
/// @param meaning description in one line
/// @param limit highest acceptable median; infinite for a value without a goal
record Goal(String name, String meaning, Spread spread, double limit) {
    boolean isMet() {
        return spread.median() <= limit;
    }

    private boolean isLimited() {
        return limit < Double.POSITIVE_INFINITY;
    }

    /// Returns a line with the median, the quartiles and the limit.
    String line() {
        return "%-24s %9.3f  (%.3f to %.3f)  %s  %s"
                .formatted(
                        name,
                        spread.median(),
                        spread.quartile1(),
                        spread.quartile3(),
                        isLimited()
                                ? "limit %7.3f  %-6s".formatted(limit, isMet() ? "met" : "MISSED")
                                : " ".repeat(22),
                        meaning);
    }

    void addTo(ObjectNode node) {
        ObjectNode figures = node.putObject(name);
        SpreadJson.addRatio(figures, spread);
        if (isLimited()) {
            figures.put("limit", limit);
            figures.put("met", isMet());
        }
    }
}

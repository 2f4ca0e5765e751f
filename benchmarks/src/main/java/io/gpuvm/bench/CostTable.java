package io.gpuvm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Table of costs with one column per guest and one row per figure.
///
/// ```text
/// shadow            naive      lazy  incremental
/// BAR0 reads        1,484     1,484        1,484
/// ...
/// ```
final class CostTable {
    private final Map<String, List<String>> rows = new LinkedHashMap<>();
    private final int columns;

    /// @param costs costs of guests whose configurations have the same keys
    CostTable(List<ProbeCost> costs) {
        columns = costs.size();
        for (int column = 0; column < columns; column++) {
            ProbeCost cost = costs.get(column);
            for (Map.Entry<String, String> key : cost.keys().entrySet()) {
                set(key.getKey(), column, key.getValue());
            }
            set("traps", column, String.format(Locale.ROOT, "%,d", cost.trapCount()));
            for (Map.Entry<String, JsonNode> region : cost.traps().properties()) {
                for (Map.Entry<String, JsonNode> kind : region.getValue().properties()) {
                    setCount(region.getKey() + " " + kind.getKey(), column, kind.getValue());
                }
            }
            for (Map.Entry<String, JsonNode> counter : cost.shadowing().properties()) {
                setCount(counter.getKey(), column, counter.getValue());
            }
            for (Map.Entry<String, JsonNode> counter : cost.mapping().properties()) {
                setCount(counter.getKey(), column, counter.getValue());
            }
            setSeconds("secondsToProbe", column, cost.secondsToProbe());
            setSeconds("secondsOnCard", column, cost.secondsOnCard());
        }
        rows.values().removeIf(row -> row.stream().allMatch("0"::equals));
    }

    /// Returns the lines without a final line break. Rows in which all figures are zero are
    /// omitted.
    @Override
    public String toString() {
        int titleWidth = widest(List.copyOf(rows.keySet()));
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            int index = column;
            widths.add(widest(rows.values().stream().map(row -> row.get(index)).toList()));
        }
        return rows.entrySet().stream()
                .map(row -> line(row.getKey(), titleWidth, row.getValue(), widths))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private void setSeconds(String title, int column, double seconds) {
        set(title, column, String.format(Locale.ROOT, "%.2f", seconds));
    }

    private void setCount(String title, int column, JsonNode count) {
        set(title, column, String.format(Locale.ROOT, "%,d", count.asLong()));
    }

    private void set(String title, int column, String text) {
        rows.computeIfAbsent(title, _ -> new ArrayList<>(Collections.nCopies(columns, "")))
                .set(column, text);
    }

    private static int widest(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String line(
            String title, int titleWidth, List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder(title).repeat(' ', titleWidth - title.length());
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            line.repeat(' ', 2 + widths.get(column) - cell.length()).append(cell);
        }
        return line.toString();
    }
}

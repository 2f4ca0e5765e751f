package io.gpuvm.evaluation.data;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// CSV files of an evaluation, one for each section that has records. A column's name is the path
/// of keys in the JSON, joined by dots. A record with a list has one row for each element, with the
/// element's index in the column `KEY.index`.
public final class EvaluationCsv {
    private static final String SEPARATOR = ",";
    private static final String QUOTE = "\"";

    private EvaluationCsv() {}

    /// Writes a file `SECTION.csv` into a folder for each section that has records.
    public static void write(Path folder, Evaluation evaluation) {
        for (EvaluationSection<?> section : EvaluationSection.ALL) {
            List<?> records = section.records().apply(evaluation);
            if (!records.isEmpty()) {
                try {
                    Files.write(folder.resolve(section.name() + ".csv"), lines(records));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /// Returns the header line and the rows of the records.
    static List<String> lines(List<?> records) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (Object each : records) {
            addRows(rows, EvaluationJson.JSON.valueToTree(each));
        }
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.keySet()));
        List<String> lines = new ArrayList<>();
        lines.add(String.join(SEPARATOR, columns.stream().map(EvaluationCsv::quoted).toList()));
        for (Map<String, String> row : rows) {
            lines.add(
                    String.join(
                            SEPARATOR,
                            columns.stream().map(name -> row.getOrDefault(name, "")).toList()));
        }
        return lines;
    }

    private static void addRows(List<Map<String, String>> rows, JsonNode tree) {
        Map<String, String> scalars = new LinkedHashMap<>();
        Map<String, JsonNode> lists = new LinkedHashMap<>();
        flatten("", tree, scalars, lists);
        if (lists.isEmpty()) {
            rows.add(scalars);
        }
        lists.forEach((name, list) -> {
            for (int i = 0; i < list.size(); i++) {
                Map<String, String> row = new LinkedHashMap<>(scalars);
                row.put(name + ".index", String.valueOf(i));
                row.put(name, quoted(list.get(i).asText()));
                rows.add(row);
            }
        });
    }

    private static void flatten(
            String name, JsonNode node, Map<String, String> scalars, Map<String, JsonNode> lists) {
        if (node.isObject()) {
            String prefix = name.isEmpty() ? "" : name + ".";
            node.properties()
                    .forEach(each ->
                            flatten(prefix + each.getKey(), each.getValue(), scalars, lists));
        } else if (node.isArray()) {
            lists.put(name, node);
        } else {
            scalars.put(name, node.isNull() ? "" : quoted(node.asText()));
        }
    }

    /// Returns a value as a field. A value with a separator, a quote or a line break is quoted, as
    /// RFC 4180 defines.
    private static String quoted(String text) {
        boolean isPlain =
                text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? text : QUOTE + text.replace(QUOTE, QUOTE + QUOTE) + QUOTE;
    }
}

package io.gpuvm.experiments;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// CSV file: the first line has the names of the columns, and all other lines are rows. Immutable.
///
/// @param source name of the file, for error messages
record Table(String source, List<String> columns, List<List<String>> rows) {
    Table {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /// Reads files with the same columns, in the given order.
    ///
    /// @throws PlotException if a file cannot be read, or its columns differ from those of the
    ///   first
    static Table read(List<Path> files) {
        Table all = read(files.getFirst());
        List<List<String>> rows = new ArrayList<>(all.rows);
        for (Path file : files.subList(1, files.size())) {
            Table next = read(file);
            if (!next.columns.equals(all.columns)) {
                throw new PlotException(
                        "%s: columns=%s, expected columns of %s: %s"
                                .formatted(file, next.columns, all.source, all.columns));
            }
            rows.addAll(next.rows);
        }
        return new Table(all.source, all.columns, rows);
    }

    private static Table read(Path file) {
        CsvMapper mapper =
                CsvMapper.builder()
                        .enable(CsvParser.Feature.WRAP_AS_ARRAY)
                        .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
                        .build();
        List<List<String>> lines = new ArrayList<>();
        try (MappingIterator<String[]> parsed =
                mapper.readerFor(String[].class).readValues(file.toFile())) {
            while (parsed.hasNext()) {
                lines.add(List.of(parsed.next()));
            }
        } catch (IOException | RuntimeException e) {
            throw new PlotException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        if (lines.isEmpty()) {
            throw new PlotException("%s is empty".formatted(file));
        }
        List<String> columns = lines.removeFirst();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).size() != columns.size()) {
                throw new PlotException(
                        "%s: row %d: values=%d, expected=%d"
                                .formatted(file, i + 1, lines.get(i).size(), columns.size()));
            }
        }
        return new Table(file.toString(), columns, lines);
    }

    /// Returns the rows that have the given value in a column.
    Table where(String column, String value) {
        int index = index(column);
        return keep(row -> row.get(index).equals(value));
    }

    /// Groups rows by their values in some columns, in order of first occurrence.
    Map<String, Table> by(List<String> names) {
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        for (List<String> row : rows) {
            groups.computeIfAbsent(label(names, row), _ -> new ArrayList<>()).add(row);
        }
        Map<String, Table> tables = new LinkedHashMap<>();
        groups.forEach((label, own) -> tables.put(label, new Table(source, columns, own)));
        return tables;
    }

    /// Returns a column as text.
    List<String> text(String column) {
        int index = index(column);
        return rows.stream().map(row -> row.get(index)).toList();
    }

    /// Returns a column as numbers.
    ///
    /// @throws PlotException if a value is not a number
    double[] numbers(String column) {
        return text(column).stream().mapToDouble(value -> number(column, value)).toArray();
    }

    private Table keep(Predicate<List<String>> wanted) {
        return new Table(source, columns, rows.stream().filter(wanted).toList());
    }

    /// Returns the label of a group. A number alone would be unclear, so the name of its column is
    /// added.
    private String label(List<String> names, List<String> row) {
        List<String> parts = new ArrayList<>();
        for (String name : names) {
            String value = row.get(index(name));
            parts.add(isNumber(value) ? name + " " + value : value);
        }
        return String.join(", ", parts);
    }

    private int index(String column) {
        int index = columns.indexOf(column);
        if (index < 0) {
            throw new PlotException(
                    "%s: column=%s, expected one of %s".formatted(source, column, columns));
        }
        return index;
    }

    private double number(String column, String value) {
        if (!isNumber(value)) {
            throw new PlotException(
                    "%s: %s=%s, expected a number".formatted(source, column, value));
        }
        return Double.parseDouble(value);
    }

    private static boolean isNumber(String value) {
        try {
            Double.parseDouble(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}

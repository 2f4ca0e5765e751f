package io.gpuvm.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Lines at which the tables and keys of a valid TOML text begin, for error messages: the parser
/// reports none. Immutable.
final class TomlLines {
    private static final String BARE = "[A-Za-z0-9_-]+";
    private static final String QUOTED = "\"[^\"]*\"|'[^']*'";
    private static final String PART = "(?:%s|%s)".formatted(BARE, QUOTED);
    private static final String NAME = "(%1$s(?:\\s*\\.\\s*%1$s)*)".formatted(PART);
    private static final Pattern TABLE = Pattern.compile("^\\s*\\[\\s*" + NAME + "\\s*].*");
    private static final Pattern KEY = Pattern.compile("^\\s*" + NAME + "\\s*=.*");
    private static final Pattern PARTS = Pattern.compile(PART);

    private static final int FIRST_LINE = 1;

    private final Map<List<String>, Integer> lines = new HashMap<>();

    /// @param text valid TOML
    TomlLines(String text) {
        List<String> table = List.of();
        int number = FIRST_LINE;
        for (String line : text.split("\n", -1)) {
            Matcher header = TABLE.matcher(line);
            Matcher key = KEY.matcher(line);
            if (header.matches()) {
                table = parts(header.group(1));
                lines.putIfAbsent(table, number);
            } else if (key.matches()) {
                lines.putIfAbsent(joined(table, parts(key.group(1))), number);
            }
            number++;
        }
    }

    /// Returns the line of a key or table, or else of the next table around it; 1 for the text.
    ///
    /// @param path names of tables, then of the key
    int of(List<String> path) {
        for (int length = path.size(); length > 0; length--) {
            Integer line = lines.get(path.subList(0, length));
            if (line != null) {
                return line;
            }
        }
        return FIRST_LINE;
    }

    private static List<String> parts(String name) {
        return PARTS.matcher(name)
                .results()
                .map(part -> part.group().replaceAll("^[\"']|[\"']$", ""))
                .toList();
    }

    private static List<String> joined(List<String> table, List<String> key) {
        return Stream.concat(table.stream(), key.stream()).toList();
    }
}

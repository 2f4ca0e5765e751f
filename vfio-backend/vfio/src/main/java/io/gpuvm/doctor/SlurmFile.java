package io.gpuvm.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Configuration file of Slurm: lines of `KEY=VALUE` pairs. Keys have no case.
final class SlurmFile {
    /// Number of nested `Include` lines that are followed.
    private static final int MOST_INCLUDED = 8;

    private final List<Map<String, String>> lines = new ArrayList<>();

    /// Reads a file and the files that it includes.
    ///
    /// @throws IOException if a file cannot be read
    static SlurmFile read(Path file) throws IOException {
        SlurmFile read = new SlurmFile();
        read.add(file, 0);
        return read;
    }

    private void add(Path file, int depth) throws IOException {
        String text = Files.readString(file).replaceAll("\\\\\n", " ");
        for (String whole : text.split("\n")) {
            String line = whole.replaceFirst("(^|\\s)#.*", "").strip();
            String[] words = line.split("\\s+");
            if (words.length == 2 && words[0].equalsIgnoreCase("include")) {
                if (depth == MOST_INCLUDED) {
                    throw new IOException("included files=%d".formatted(MOST_INCLUDED + 1));
                }
                add(file.resolveSibling(words[1]), depth + 1);
                continue;
            }
            Map<String, String> pairs = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String word : words) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    pairs.put(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            if (!pairs.isEmpty()) {
                lines.add(pairs);
            }
        }
    }

    /// Returns the last value of a key; empty if there is none.
    String value(String key) {
        String value = "";
        for (Map<String, String> line : lines) {
            value = line.getOrDefault(key, value);
        }
        return value;
    }

    /// Returns whether a comma-separated value contains a word.
    boolean has(String key, String word) {
        return List.of(value(key).toLowerCase(Locale.ROOT).split(","))
                .contains(word.toLowerCase(Locale.ROOT));
    }

    /// Returns the lines with a key.
    List<Map<String, String>> lines(String key) {
        return lines.stream().filter(line -> line.containsKey(key)).toList();
    }
}

package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Allowed log lines of a kernel at level warning or worse in one phase, each with a reason: a file
/// `log-allow/KERNEL/PHASE` of `tests/real-guest` or `tests/virtual-host`.
public record LogAllowList(List<Pattern> patterns) {
    /// Name of the file with the entries for all kernels and phases.
    private static final String ANY = "any";

    /// Returns the list for a kernel and phase, including the entries for all kernels and phases.
    ///
    /// @throws IllegalArgumentException if an entry has no reason above it or is not a regular
    ///   expression
    public static LogAllowList load(Path folder, String kernel, String phase) {
        return any(folder).and(read(folder.resolve(kernel).resolve(phase)));
    }

    /// Returns the entries for all kernels and phases.
    public static LogAllowList any(Path folder) {
        return read(folder.resolve(ANY));
    }

    /// Returns the union of two lists.
    public LogAllowList and(LogAllowList other) {
        List<Pattern> both = new ArrayList<>(patterns);
        both.addAll(other.patterns);
        return new LogAllowList(List.copyOf(both));
    }

    private static LogAllowList read(Path file) {
        if (!Files.isRegularFile(file)) {
            return new LogAllowList(List.of());
        }
        try {
            return parse(file.toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static LogAllowList parse(String name, List<String> lines) {
        List<Pattern> patterns = new ArrayList<>();
        boolean reasoned = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("#")) {
                reasoned = true;
            } else if (line.isBlank()) {
                reasoned = false;
            } else if (!reasoned) {
                throw new IllegalArgumentException(
                        "%s:%d: no reason (# comment) above this line".formatted(name, i + 1));
            } else {
                patterns.add(compile(name, i + 1, line));
            }
        }
        return new LogAllowList(List.copyOf(patterns));
    }

    public boolean allows(String text) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(text).find());
    }

    private static Pattern compile(String name, int line, String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "%s:%d: %s".formatted(name, line, e.getMessage()), e);
        }
    }
}

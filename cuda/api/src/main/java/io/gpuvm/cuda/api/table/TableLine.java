package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.List;

/// Line of a file of the table that is neither blank nor a comment.
///
/// @param file name of the file
/// @param number number of the line, from 1
/// @param isIndented whether the line belongs to the preceding record
/// @param text the line without blanks at its ends
record TableLine(String file, int number, boolean isIndented, String text) {
    private static final String SEPARATOR = " : ";

    /// Splits a text into its meaningful lines.
    static List<TableLine> split(String file, String text) {
        List<TableLine> lines = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.strip();
            if (!content.isEmpty() && !content.startsWith("#")) {
                lines.add(new TableLine(file, number, line.charAt(0) == ' ', content));
            }
        }
        return lines;
    }

    /// Returns the words of the line.
    List<String> words() {
        return List.of(text.split("\\s+"));
    }

    /// Returns the first word, which selects the form of the line.
    String keyword() {
        return words().getFirst();
    }

    /// Returns whether the line has the form `LEFT : RIGHT`.
    boolean hasColon() {
        return text.contains(SEPARATOR);
    }

    /// Returns the text before the colon.
    String left() {
        return text.substring(0, colon()).strip();
    }

    /// Returns the text after the colon.
    String right() {
        return text.substring(colon() + SEPARATOR.length()).strip();
    }

    /// Returns the place for error messages.
    String place() {
        return file + ":" + number;
    }

    /// Returns an error at this line.
    TableFormatException error(String message) {
        return new TableFormatException(place(), message);
    }

    /// Returns a number of the table, decimal or with `0x`.
    ///
    /// @throws TableFormatException if the word is not a number or outside the range
    int number(String name, String word, int min, int max) {
        try {
            long value = Long.decode(word);
            if (value >= min && value <= max) {
                return (int) value;
            }
        } catch (NumberFormatException e) {
            throw error("%s=%s, expected a number".formatted(name, word));
        }
        throw error("%s=%s, expected %d to %d".formatted(name, word, min, max));
    }

    private int colon() {
        int at = text.indexOf(SEPARATOR);
        if (at < 0) {
            throw error("'%s', expected LEFT : RIGHT".formatted(text));
        }
        return at;
    }
}

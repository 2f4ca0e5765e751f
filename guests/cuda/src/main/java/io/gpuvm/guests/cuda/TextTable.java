package io.gpuvm.guests.cuda;

import java.util.List;

/// Formats rows of words as columns of equal width.
final class TextTable {
    private static final String GAP = "  ";

    private TextTable() {}

    /// Returns a line for each row.
    ///
    /// @param rows rows with equal numbers of words, at least one row
    static String of(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String word = row.get(i);
                line.append(word).append(" ".repeat(widths[i] - word.length())).append(GAP);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}

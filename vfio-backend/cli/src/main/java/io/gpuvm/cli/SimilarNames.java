package io.gpuvm.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Names that a user may have meant by an unknown one.
final class SimilarNames {
    private static final int MOST = 3;

    /// Number of characters for which one difference is permitted, in addition to one.
    private static final int CHARACTERS_PER_DIFFERENCE = 4;

    private SimilarNames() {}

    /// Returns at most three known names: those that begin with the unknown name, or differ from it
    /// by few insertions, deletions and replacements. The nearest is the first.
    static List<String> of(String unknown, Collection<String> known) {
        int limit = 1 + unknown.length() / CHARACTERS_PER_DIFFERENCE;
        return known.stream()
                .filter(name -> distance(unknown, name) <= limit)
                .sorted(
                        Comparator.<String>comparingInt(name -> distance(unknown, name))
                                .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
    }

    /// Returns the distance of Levenshtein, or 1 for a beginning of the name.
    private static int distance(String unknown, String name) {
        if (unknown.length() > 2 && name.startsWith(unknown)) {
            return 1;
        }
        int[] above = new int[name.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= unknown.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = unknown.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(above[j - 1] + replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[name.length()];
    }
}

package io.gpuvm.cli;

import java.util.Collection;
import java.util.Comparator;
import org.jline.utils.Levenshtein;

/// Search for the name that a user probably meant.
final class NearestName {
    /// Part of a name's characters that may be wrong: one in three, at least two.
    private static final int WRONG_PART = 3;

    private static final int LEAST_WRONG = 2;

    private NearestName() {}

    /// Returns the known name with the least edit distance from an unknown one; null if none is
    /// similar.
    static String of(String unknown, Collection<String> known) {
        return known.stream()
                .filter(name -> Levenshtein.distance(unknown, name) <= permitted(name))
                .min(
                        Comparator.comparingInt(
                                        (String name) -> Levenshtein.distance(unknown, name))
                                .thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    private static int permitted(String name) {
        return Math.max(LEAST_WRONG, name.length() / WRONG_PART);
    }
}

package io.gpuvm.evaluation;

import java.util.regex.Pattern;

/// Beginning of a text that a guest may have written, for messages and results: one line of bounded
/// length without control characters, which could change the state of a terminal.
final class Excerpt {
    /// Maximum number of characters of the text in an excerpt.
    static final int LIMIT = 2000;

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\s]+");

    private Excerpt() {}

    /// Returns the beginning of a text; null if the text is null.
    static String of(String text) {
        if (text == null) {
            return null;
        }
        boolean isLong = text.length() > LIMIT;
        String line = CONTROLS.matcher(isLong ? text.substring(0, LIMIT) : text).replaceAll(" ");
        return isLong ? "%s... (characters=%d)".formatted(line, text.length()) : line;
    }
}

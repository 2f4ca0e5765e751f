package io.gpuvm.evaluation.report;

import java.util.LinkedHashMap;
import java.util.Map;

/// Styles of all shapes of a page as CSS classes, one class for each different style. Not
/// thread-safe.
final class Styles {
    private static final int RADIX = 36;

    private final Map<String, String> classes = new LinkedHashMap<>();

    /// Returns the class of a style.
    ///
    /// @param style declarations of CSS
    String classOf(String style) {
        return classes.computeIfAbsent(
                style, unused -> "k" + Integer.toString(classes.size(), RADIX));
    }

    /// Returns the rules of all classes.
    String css() {
        StringBuilder css = new StringBuilder();
        classes.forEach((style, name) -> css.append(".%s{%s}\n".formatted(name, style)));
        return css.toString();
    }
}

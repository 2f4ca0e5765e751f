package io.gpuvm.cli;

import java.util.List;
import java.util.Locale;

/// Source of a manual page in the macros of man(7).
final class Roff {
    private final StringBuilder source = new StringBuilder();

    /// Escapes text: characters that roff interprets, and characters at the beginning of a line
    /// that make it a request.
    static String text(String plain) {
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    static String bold(String plain) {
        return "\\fB" + text(plain) + "\\fR";
    }

    static String italic(String plain) {
        return "\\fI" + text(plain) + "\\fR";
    }

    /// Returns a reference to another page.
    static String reference(String page, int section) {
        return bold(page) + "(" + section + ")";
    }

    void title(String name, int section, String date, String version) {
        line(
                ".TH \"%s\" %d \"%s\" \"%s\""
                        .formatted(text(name), section, text(date), text(version)));
        // Words of a command line are neither hyphenated nor justified.
        line(".nh");
        line(".ad l");
    }

    void section(String name) {
        line(".SH " + name.toUpperCase(Locale.ROOT));
    }

    /// Appends a paragraph of plain text.
    void paragraph(String plain) {
        line(".PP");
        line(text(plain));
    }

    /// Appends an item of a list.
    ///
    /// @param label source of the item's label
    /// @param plain text of the item
    void item(String label, String plain) {
        line(".TP");
        line(label);
        line(text(plain));
    }

    /// Appends lines that are not filled; nothing for an empty list.
    void verbatim(List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        line(".PP");
        line(".RS 4");
        line(".nf");
        lines.forEach(plain -> line(text(plain)));
        line(".fi");
        line(".RE");
    }

    /// Appends a line of source.
    void line(String roff) {
        source.append(roff).append('\n');
    }

    @Override
    public String toString() {
        return source.toString();
    }
}

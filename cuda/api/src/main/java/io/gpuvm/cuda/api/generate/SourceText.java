package io.gpuvm.cuda.api.generate;

/// Builder of a source text, line by line, with indentation.
final class SourceText {
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /// Adds a line.
    SourceText line(String line) {
        if (!line.isEmpty()) {
            text.append(INDENT.repeat(depth)).append(line);
        }
        text.append('\n');
        return this;
    }

    /// Adds a formatted line.
    SourceText format(String format, Object... values) {
        return line(format.formatted(values));
    }

    /// Adds an empty line.
    SourceText blank() {
        return line("");
    }

    /// Adds lines without indentation.
    SourceText raw(String lines) {
        text.append(lines);
        return this;
    }

    /// Adds a line, and indents the following lines.
    SourceText open(String line) {
        line(line);
        depth++;
        return this;
    }

    /// Ends the indentation.
    SourceText dedent() {
        depth--;
        return this;
    }

    /// Ends the indentation, and adds a line.
    SourceText close(String line) {
        depth--;
        return line(line);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

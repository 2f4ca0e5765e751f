package io.gpuvm.ptx.syntax;

/// Message on a position of a source.
///
/// @param line number of the line, from 1
/// @param column number of the column, from 1
public record Diagnostic(int line, int column, Severity severity, String message) {
    /// Effect of a diagnostic on the result.
    public enum Severity {
        /// The source has no meaning, or the GPU cannot express it: there is no result.
        ERROR,
        /// The result is valid.
        WARNING
    }

    /// Returns the error with a message on a position.
    public static Diagnostic error(SourcePosition at, String message) {
        return new Diagnostic(at.line(), at.column(), Severity.ERROR, message);
    }

    /// Returns the warning with a message on a position.
    public static Diagnostic warning(SourcePosition at, String message) {
        return new Diagnostic(at.line(), at.column(), Severity.WARNING, message);
    }

    /// Returns whether the diagnostic is an error.
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /// Returns a line such as `a.ptx, line 31, column 5: error: ...`.
    ///
    /// @param file name of the source
    public String in(String file) {
        return "%s, line %d, column %d: %s: %s"
                .formatted(file, line, column, isError() ? "error" : "warning", message);
    }
}

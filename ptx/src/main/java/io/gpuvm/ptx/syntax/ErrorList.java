package io.gpuvm.ptx.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// List of diagnostics, bounded: it drops errors beyond the limit, and as many warnings.
public final class ErrorList {
    private final int limit;
    private final List<Diagnostic> diagnostics = new ArrayList<>();
    private int errors;

    /// @param limit maximum number of errors, at least 1
    public ErrorList(int limit) {
        this.limit = limit;
    }

    /// Adds an error.
    public void error(SourcePosition at, String message) {
        if (errors++ < limit) {
            diagnostics.add(Diagnostic.error(at, message));
        }
    }

    /// Adds a warning.
    public void warning(SourcePosition at, String message) {
        if (diagnostics.size() - Math.min(errors, limit) < limit) {
            diagnostics.add(Diagnostic.warning(at, message));
        }
    }

    /// Returns whether an error was added.
    public boolean hasErrors() {
        return errors > 0;
    }

    /// Returns whether the limit is reached, so that the compiler stops.
    public boolean isFull() {
        return errors >= limit;
    }

    /// Returns the diagnostics in the order of the source.
    public List<Diagnostic> list() {
        return diagnostics.stream()
                .sorted(
                        Comparator.comparingInt(Diagnostic::line)
                                .thenComparingInt(Diagnostic::column))
                .toList();
    }
}

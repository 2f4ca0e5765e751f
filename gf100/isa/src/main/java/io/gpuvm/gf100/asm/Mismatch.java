package io.gpuvm.gf100.asm;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Reason why an instruction matches none of the tried forms: the expected text at the failure
/// point of the best form.
final class Mismatch {
    private static final int MOST = 12;

    private final boolean told;
    private final Set<String> expected = new TreeSet<>();
    private Token token;
    private SourceException almost;

    /// @param told whether to record reasons; the first search records none, because most forms
    ///   fail before a form fits
    Mismatch(boolean told) {
        this.told = told;
    }

    /// Records a failure and returns null, which the caller can return as its own result.
    <T> T at(Token where, Supplier<String> what) {
        return told ? at(where, what.get()) : null;
    }

    private <T> T at(Token where, String what) {
        if (token == null || isAfter(where, token)) {
            token = where;
            expected.clear();
        }
        if (!isAfter(token, where)) {
            expected.add(what);
        }
        return null;
    }

    /// Records a failure of a form that supports all written parts but not their combination, and
    /// returns null. Such a failure is more specific than the failures of other forms.
    <T> T almost(Token where, String what) {
        if (almost == null) {
            almost = SourceException.expected(where, what);
        }
        return null;
    }

    private static boolean isAfter(Token one, Token other) {
        return one.line() != other.line()
                ? one.line() > other.line()
                : one.column() > other.column();
    }

    SourceException exception() {
        if (almost != null) {
            return almost;
        }
        String list = expected.stream().limit(MOST).collect(Collectors.joining(", or "));
        return SourceException.expected(token, list);
    }
}

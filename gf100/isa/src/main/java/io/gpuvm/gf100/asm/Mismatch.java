package io.gpuvm.gf100.asm;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Why an instruction has none of the forms that were tried: what is said is what was expected
/// where the best of them failed.
final class Mismatch {
    private static final int MOST = 12;

    private final boolean told;
    private final Set<String> expected = new TreeSet<>();
    private Token token;
    private SourceException almost;

    /// @param told whether anybody will ask: most forms fail before one fits, so that the first
    ///   search goes without the words
    Mismatch(boolean told) {
        this.told = told;
    }

    /// Returns null, which is what whoever fails returns.
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

    /// As [#at], for a form that has all that was written, only not together: that says more than
    /// where other forms failed.
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

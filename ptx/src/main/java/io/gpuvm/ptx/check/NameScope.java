package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.HashMap;
import java.util.Map;

/// Names of a module, function or block.
final class NameScope {
    /// Maximum number of digits of a register's number.
    private static final int MAX_DIGITS = 18;

    private final NameScope outer;
    private final Map<String, Named> names = new HashMap<>();
    private final Map<String, SourcePosition> positions = new HashMap<>();
    private final Map<String, Named.Range> ranges = new HashMap<>();
    private final Map<String, PtxOperand.Label> labels = new HashMap<>();

    /// @param outer scope that contains this scope, or null
    NameScope(NameScope outer) {
        this.outer = outer;
    }

    NameScope outer() {
        return outer;
    }

    /// Declares a name.
    ///
    /// @throws CheckException if the scope has declared the name
    void declare(SourcePosition position, String name, Named meaning) {
        SourcePosition earlier = positions.putIfAbsent(name, position);
        if (earlier != null) {
            throw new CheckException(
                    position,
                    "%s is declared in line %d".formatted(Quotation.of(name), earlier.line()));
        }
        names.put(name, meaning);
    }

    /// Declares a name, or gives it another meaning.
    void replace(SourcePosition position, String name, Named meaning) {
        positions.put(name, position);
        names.put(name, meaning);
    }

    /// Declares registers `prefix0`, `prefix1` and so on.
    ///
    /// @throws CheckException if the scope has declared the prefix
    void declareRange(String prefix, Named.Range range) {
        Named.Range earlier = ranges.putIfAbsent(prefix, range);
        if (earlier != null) {
            throw new CheckException(
                    range.position(),
                    "%s is declared in line %d"
                            .formatted(Quotation.of(prefix + "<...>"), earlier.position().line()));
        }
    }

    /// Declares a label.
    ///
    /// @throws CheckException if the scope has declared the label
    void declareLabel(SourcePosition position, PtxOperand.Label label) {
        if (labels.putIfAbsent(label.name(), label) != null) {
            throw new CheckException(
                    position, Quotation.of(label.name()) + " is declared in this block already");
        }
    }

    /// Returns the label of this scope or the scopes around it, or null.
    PtxOperand.Label label(String name) {
        for (NameScope scope = this; scope != null; scope = scope.outer) {
            PtxOperand.Label label = scope.labels.get(name);
            if (label != null) {
                return label;
            }
        }
        return null;
    }

    /// Returns the meaning of a name in this scope or the scopes around it, or null.
    ///
    /// @param registers creator of registers of a range
    Named find(String name, RegisterList registers) {
        for (NameScope scope = this; scope != null; scope = scope.outer) {
            Named named = scope.names.get(name);
            if (named != null) {
                return named;
            }
            if (!scope.ranges.isEmpty()) {
                named = scope.inRange(name, registers);
                if (named != null) {
                    return named;
                }
            }
        }
        return null;
    }

    private Named inRange(String name, RegisterList registers) {
        int digits = name.length();
        while (digits > Math.max(1, name.length() - MAX_DIGITS)
                && isDigit(name.charAt(digits - 1))) {
            digits--;
        }
        // A prefix may end with digits: `%r1<5>` declares `%r10` to `%r14`.
        for (int split = digits; split < name.length(); split++) {
            Named.Range range = ranges.get(name.substring(0, split));
            if (range != null && isIndex(name, split, range.count())) {
                Named register = registers.create(name, range.type(), range.vector());
                names.put(name, register);
                return register;
            }
        }
        return null;
    }

    private static boolean isIndex(String name, int from, long count) {
        int length = name.length() - from;
        if (length > 1 && name.charAt(from) == '0') {
            return false;
        }
        return Long.parseLong(name.substring(from)) < count;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}

package io.gpuvm.ptx.syntax;

import java.util.List;

/// Initial value of a variable, as it is written.
public sealed interface InitializerTree {
    /// Returns the position of the first character.
    SourcePosition position();

    /// Value of one element.
    record Value(SourcePosition position, ExpressionTree value) implements InitializerTree {}

    /// Values in braces.
    record Braces(SourcePosition position, List<InitializerTree> parts) implements InitializerTree {
        public Braces {
            parts = List.copyOf(parts);
        }
    }
}

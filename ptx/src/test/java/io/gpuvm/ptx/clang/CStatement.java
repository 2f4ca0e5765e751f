package io.gpuvm.ptx.clang;

import java.util.List;

/// Statement of a random kernel, in a form from which a reduction can remove parts: the source
/// stays valid without any statement.
///
/// @param head text before the body, or the whole statement
/// @param bodies statements of the blocks
/// @param separators texts after each block
record CStatement(String head, List<List<CStatement>> bodies, List<String> separators) {
    private static final String STEP = "  ";

    CStatement {
        bodies = bodies.stream().map(List::copyOf).toList();
        separators = List.copyOf(separators);
    }

    static CStatement of(String text) {
        return new CStatement(text, List.of(), List.of());
    }

    /// Returns a statement with one block.
    static CStatement of(String head, List<CStatement> body) {
        return new CStatement(head + " {", List.of(body), List.of("}"));
    }

    /// Appends the text of statements.
    static void append(StringBuilder text, List<CStatement> statements, String indentation) {
        for (CStatement statement : statements) {
            text.append(indentation).append(statement.head).append('\n');
            for (int i = 0; i < statement.bodies.size(); i++) {
                append(text, statement.bodies.get(i), indentation + STEP);
                text.append(indentation).append(statement.separators.get(i)).append('\n');
            }
        }
    }
}

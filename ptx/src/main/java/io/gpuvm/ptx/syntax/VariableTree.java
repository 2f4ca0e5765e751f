package io.gpuvm.ptx.syntax;

import java.util.List;

/// Declaration of variables or registers, or of a parameter (with one declarator).
///
/// @param linkage `.visible`, `.extern`, `.weak`, `.common`, or an empty string
/// @param words directives before the first name, with their dots and in order: the state space,
///   types, vector widths, `.ptr` and the space of a pointer, and others
/// @param alignment alignment in bytes, or null
public record VariableTree(
        SourcePosition position,
        String linkage,
        List<String> words,
        ExpressionTree alignment,
        List<DeclaratorTree> declarators)
        implements DirectiveTree, StatementTree {
    public VariableTree {
        words = List.copyOf(words);
        declarators = List.copyOf(declarators);
    }
}

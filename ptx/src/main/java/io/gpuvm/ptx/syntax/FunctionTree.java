package io.gpuvm.ptx.syntax;

import java.util.List;

/// Kernel or function.
///
/// @param linkage `.visible`, `.extern`, `.weak`, or an empty string
/// @param kernel whether the function is an `.entry`
/// @param attributes directives between parameters and body
/// @param body statements, or null for a declaration
public record FunctionTree(
        SourcePosition position,
        String linkage,
        boolean kernel,
        String name,
        SignatureTree signature,
        List<Attribute> attributes,
        StatementTree.Block body)
        implements DirectiveTree {
    public FunctionTree {
        attributes = List.copyOf(attributes);
    }

    /// Directive such as `.maxntid 256, 1, 1`.
    ///
    /// @param name name with its dot
    public record Attribute(SourcePosition position, String name, List<ExpressionTree> values) {
        public Attribute {
            values = List.copyOf(values);
        }
    }
}

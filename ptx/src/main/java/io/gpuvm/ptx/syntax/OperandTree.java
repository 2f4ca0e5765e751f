package io.gpuvm.ptx.syntax;

import java.util.List;

/// Operand of an instruction, as it is written.
public sealed interface OperandTree
        permits ExpressionTree,
                OperandTree.Address,
                OperandTree.Discard,
                OperandTree.Group,
                OperandTree.Pair,
                OperandTree.Subscript,
                OperandTree.Vector {
    /// Returns the position of the first character.
    SourcePosition position();

    /// Memory operand `[base]` or `[base+offset]`, or operand of a texture instruction, `[texture,
    /// {x, y}]` or `[texture, sampler, {x, y}]`.
    ///
    /// @param parts operands between the brackets; one for a memory operand
    record Address(SourcePosition position, List<OperandTree> parts) implements OperandTree {
        public Address {
            parts = List.copyOf(parts);
        }
    }

    /// Result that is not wanted: `_`.
    record Discard(SourcePosition position) implements OperandTree {}

    /// Operands in parentheses: results or arguments of a call.
    record Group(SourcePosition position, List<OperandTree> parts) implements OperandTree {
        public Group {
            parts = List.copyOf(parts);
        }
    }

    /// Two results `first|second`.
    record Pair(SourcePosition position, OperandTree first, OperandTree second)
            implements OperandTree {}

    /// Element `name[index]` of an array.
    record Subscript(SourcePosition position, String name, ExpressionTree index)
            implements OperandTree {}

    /// Operands in braces.
    record Vector(SourcePosition position, List<OperandTree> parts) implements OperandTree {
        public Vector {
            parts = List.copyOf(parts);
        }
    }
}

package io.gpuvm.ptx.syntax;

import java.util.List;

/// Statement of a function.
public sealed interface StatementTree
        permits VariableTree,
                InstructionTree,
                StatementTree.Block,
                StatementTree.Label,
                StatementTree.Line,
                StatementTree.Pragma,
                StatementTree.Prototype,
                StatementTree.Targets {
    /// Returns the position of the first character.
    SourcePosition position();

    /// Statements in braces, with their own scope.
    ///
    /// @param end position of the closing brace
    record Block(SourcePosition position, List<StatementTree> statements, SourcePosition end)
            implements StatementTree {
        public Block {
            statements = List.copyOf(statements);
        }
    }

    /// Label of the next instruction.
    record Label(SourcePosition position, String name) implements StatementTree {}

    /// Line of the source program, `.loc`, that the next instructions implement.
    ///
    /// @param file number of the file
    /// @param line number of the line, from 1; 0 if unknown
    /// @param column number of the column, from 1; 0 if unknown
    record Line(SourcePosition position, int file, int line, int column) implements StatementTree {}

    /// Hint to the compiler.
    record Pragma(SourcePosition position, List<String> texts) implements StatementTree {
        public Pragma {
            texts = List.copyOf(texts);
        }
    }

    /// Prototype of an indirect call, `name: .callprototype ...`.
    record Prototype(SourcePosition position, String name, SignatureTree signature)
            implements StatementTree {}

    /// List of targets, `name: .branchtargets ...` or `name: .calltargets ...`.
    record Targets(
            SourcePosition position, String name, boolean calls, List<ExpressionTree.Name> targets)
            implements StatementTree {
        public Targets {
            targets = List.copyOf(targets);
        }
    }
}

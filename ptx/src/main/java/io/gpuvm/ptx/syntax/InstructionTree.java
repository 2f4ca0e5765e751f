package io.gpuvm.ptx.syntax;

import java.util.List;

/// Instruction, as it is written.
///
/// @param guard predicate that executes the instruction, or null
/// @param guardNegated whether the instruction executes if the guard is false
/// @param operation opcode with its modifiers, for instance `add.rn.f32`
public record InstructionTree(
        SourcePosition position,
        ExpressionTree.Name guard,
        boolean guardNegated,
        String operation,
        List<OperandTree> operands)
        implements StatementTree {}

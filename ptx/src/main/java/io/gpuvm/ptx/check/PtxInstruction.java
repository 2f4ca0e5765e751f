package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Instruction, resolved. Results and sources are in the order of the text. Vectors are flat:
/// `ld.v2.u32 {a, b}, [p]` has two results, `st.v2.u32 [p], {a, b}` has three sources.
///
/// @param position position in the PTX source
/// @param line line of the source program, or null if unknown
/// @param guard condition, or null
/// @param results registers, [PtxOperand.Discard], or for video instructions [PtxOperand.Part]
/// @param sources values, including memory operands and targets of branches
public record PtxInstruction(
        SourcePosition position,
        PtxSourceLine line,
        PtxGuard guard,
        PtxOperation operation,
        List<PtxOperand> results,
        List<PtxOperand> sources) {
    public PtxInstruction {
        results = List.copyOf(results);
        sources = List.copyOf(sources);
    }

    /// Returns the opcode.
    public PtxOpcode opcode() {
        return operation.opcode();
    }
}

package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Function with a body.
///
/// @param position position of the declaration in the PTX source
/// @param registers registers; the position in the list is [PtxRegister#index()]
/// @param variables variables `.local` and `.param` of the body, without parameters
/// @param code instructions. The last may be reached at its end, which returns
/// @param pragmas hints of the function and its body
public record PtxFunction(
        PtxFunctionHeader header,
        SourcePosition position,
        PtxLaunchBounds bounds,
        List<PtxRegister> registers,
        List<PtxVariable> variables,
        List<PtxInstruction> code,
        List<String> pragmas) {
    public PtxFunction {
        registers = List.copyOf(registers);
        variables = List.copyOf(variables);
        code = List.copyOf(code);
        pragmas = List.copyOf(pragmas);
    }

    /// Returns the name.
    public String name() {
        return header.name();
    }
}

package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.syntax.Diagnostic;
import java.util.List;

/// Result of a compilation.
///
/// @param cubin module, or null if the source has errors
/// @param functions resources of the functions, in the order of the source
/// @param diagnostics errors and warnings, in the order of the source
public record PtxResult(
        Cubin cubin, List<FunctionResources> functions, List<Diagnostic> diagnostics) {
    /// Resources of a kernel or function.
    ///
    /// @param registers general registers of a thread
    /// @param sharedBytes bytes of shared memory of a block
    /// @param constantBytes bytes of constant memory, with the parameters
    /// @param localBytes bytes of local memory of a thread, with the stack frame
    /// @param spillBytes bytes of local memory for registers
    /// @param frameBytes bytes of the stack frame
    public record FunctionResources(
            String name,
            boolean kernel,
            int registers,
            int sharedBytes,
            int constantBytes,
            int localBytes,
            int spillBytes,
            int frameBytes) {}

    public PtxResult {
        functions = List.copyOf(functions);
        diagnostics = List.copyOf(diagnostics);
    }

    /// Returns whether the source was compiled.
    public boolean isCompiled() {
        return cubin != null;
    }
}

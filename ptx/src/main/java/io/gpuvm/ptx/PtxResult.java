package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.syntax.Diagnostic;
import java.util.List;

/// Result of a compilation.
///
/// @param cubin module, or null if the source has errors
/// @param functions resources of the functions, in the order of the source
/// @param diagnostics errors and warnings, in the order of the source
/// @param failure reason for a missing module; null if the source was compiled
public record PtxResult(
        Cubin cubin,
        List<FunctionResources> functions,
        List<Diagnostic> diagnostics,
        Failure failure) {
    /// Reasons for which a source is not compiled, in the terms of CUDA's driver.
    public enum Failure {
        /// Source with errors, or with a construct that the compiler does not support.
        INVALID_SOURCE,
        /// Source in a version of the language that the compiler does not know.
        UNSUPPORTED_VERSION,
        /// Source for a newer GPU, which a GF100 cannot express.
        UNSUPPORTED_TARGET,
        /// Source beyond a limit of [PtxLimits], or a compilation that was stopped.
        LIMIT
    }

    /// Resources of a kernel or function.
    ///
    /// @param registers general registers of a thread
    /// @param sharedBytes bytes of shared memory of a block
    /// @param constantBytes bytes of constant memory, with the parameters
    /// @param localBytes bytes of local memory of a thread, with the stack frame
    /// @param spillBytes bytes of local memory for registers
    /// @param spillStoreBytes bytes that the instructions that save registers store, each counted
    ///   once
    /// @param spillLoadBytes bytes that the instructions that restore registers load, each counted
    ///   once
    /// @param frameBytes bytes of the stack frame
    public record FunctionResources(
            String name,
            boolean kernel,
            int registers,
            int sharedBytes,
            int constantBytes,
            int localBytes,
            int spillBytes,
            int spillStoreBytes,
            int spillLoadBytes,
            int frameBytes) {}

    /// Returns the result of a source with the reason [Failure#INVALID_SOURCE] if it has no module.
    public PtxResult(
            Cubin cubin, List<FunctionResources> functions, List<Diagnostic> diagnostics) {
        this(
                cubin,
                functions,
                diagnostics,
                cubin == null ? Failure.INVALID_SOURCE : null);
    }

    public PtxResult {
        functions = List.copyOf(functions);
        diagnostics = List.copyOf(diagnostics);
    }

    /// Returns whether the source was compiled.
    public boolean isCompiled() {
        return cubin != null;
    }
}

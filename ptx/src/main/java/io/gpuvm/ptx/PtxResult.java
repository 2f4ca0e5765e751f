package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.build.FunctionResources;
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
        /// Source beyond a limit of [PtxLimits], a function that needs more registers or local
        /// memory than a thread can have, or a compilation that was stopped.
        LIMIT
    }

    /// Returns the result of a source with the reason [Failure#INVALID_SOURCE] if it has no module.
    public PtxResult(Cubin cubin, List<FunctionResources> functions, List<Diagnostic> diagnostics) {
        this(cubin, functions, diagnostics, cubin == null ? Failure.INVALID_SOURCE : null);
    }

    public PtxResult {
        functions = List.copyOf(functions);
        diagnostics = List.copyOf(diagnostics);
    }

    /// Returns the result of a compilation that would exceed a limit.
    static PtxResult beyondLimit(String message) {
        return new PtxResult(
                null,
                List.of(),
                List.of(new Diagnostic(1, 1, Diagnostic.Severity.ERROR, message)),
                Failure.LIMIT);
    }

    /// Returns whether the source was compiled.
    public boolean isCompiled() {
        return cubin != null;
    }
}

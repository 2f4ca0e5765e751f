package io.gpuvm.ptx.build;

/// Ends a compilation that exceeds its time, or whose result is no longer wanted.
public final class CompilationStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CompilationStoppedException(String message) {
        super(message, null, false, false);
    }
}

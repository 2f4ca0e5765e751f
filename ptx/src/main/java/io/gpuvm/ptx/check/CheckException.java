package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.SourcePosition;

/// Ends the check of a declaration or instruction that has an error. Never leaves the package.
final class CheckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SourcePosition position;

    CheckException(SourcePosition position, String message) {
        super(message, null, false, false);
        this.position = position;
    }

    SourcePosition position() {
        return position;
    }
}

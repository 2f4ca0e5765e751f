package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.syntax.SourcePosition;

/// Reports code that this compiler cannot translate.
public final class LoweringException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient SourcePosition position;

    public LoweringException(SourcePosition position, String message) {
        super(message);
        this.position = position;
    }

    public SourcePosition position() {
        return position;
    }
}

package io.gpuvm.ptx.emit;

/// Signals that too many branches are nested.
public final class NestingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NestingException(int depth, int limit) {
        super("nested branches=%d, limit=%d".formatted(depth, limit));
    }
}

package io.gpuvm.replay;

/// A recording cannot be replayed here. The message says why.
public final class ReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReplayException(String message) {
        super(message);
    }
}

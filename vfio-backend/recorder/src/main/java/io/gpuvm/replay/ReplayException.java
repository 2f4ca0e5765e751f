package io.gpuvm.replay;

/// Thrown if a recording cannot be replayed. The message contains the reason.
public final class ReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReplayException(String message) {
        super(message);
    }
}

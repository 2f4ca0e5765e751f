package io.gpuvm.trap.client;

/// Thrown if the server has refused a message.
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(int command, int errno) {
        super("command=%d: errno=%d".formatted(command, errno));
    }
}

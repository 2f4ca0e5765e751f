package io.gpuvm.trap.client;

/// The server has refused a message.
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int errno;

    RefusedException(int command, int errno) {
        super("command=%d: errno=%d".formatted(command, errno));
        this.errno = errno;
    }

    /// The server's reason, as Linux numbers errors.
    public int errno() {
        return errno;
    }
}

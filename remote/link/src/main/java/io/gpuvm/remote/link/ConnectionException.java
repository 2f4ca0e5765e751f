package io.gpuvm.remote.link;

/// Thrown if a connection has ended, or cannot be used any longer.
final class ConnectionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean refusal;

    private ConnectionException(String message, boolean refusal, Throwable cause) {
        super(message, cause);
        this.refusal = refusal;
    }

    /// Returns the exception for a break, after which a new connection may succeed.
    static ConnectionException broken(String reason) {
        return new ConnectionException(reason, false, null);
    }

    /// Returns the exception for an error of TLS, after which a new connection would fail, too.
    static ConnectionException refused(String reason, Throwable cause) {
        return new ConnectionException(reason, true, cause);
    }

    /// Returns whether a new connection would fail, too.
    boolean isRefusal() {
        return refusal;
    }
}

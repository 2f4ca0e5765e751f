package io.gpuvm.pv.transport;

/// Thrown when a transport cannot carry out a request. For an excessive value, the message names
/// the value and the limit.
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TransportException(String message) {
        super(message);
    }

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}

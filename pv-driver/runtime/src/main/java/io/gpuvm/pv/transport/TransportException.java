package io.gpuvm.pv.transport;

/// A transport cannot do what was asked. The message names the value and the limit.
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TransportException(String message) {
        super(message);
    }

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.trap.client;

/// Thrown if the server has closed the connection or does not reply in time.
public final class ServerGoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerGoneException(String message) {
        super(message);
    }
}

package io.gpuvm.trap.client;

/// The server has closed the connection, or answers nothing any more.
public final class ServerGoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerGoneException(String message) {
        super(message);
    }
}

package io.gpuvm.remote.link;

/// Thrown if a peer violates the link protocol; ends the link.
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message violation, with the value and the limit
    ProtocolException(String message) {
        super(message);
    }
}

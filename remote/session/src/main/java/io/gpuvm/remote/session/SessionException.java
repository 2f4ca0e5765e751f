package io.gpuvm.remote.session;

/// Violation of the session layer's protocol by the peer, which ends the session. The message names
/// the value and the limit.
final class SessionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SessionException(String message) {
        super(message);
    }
}

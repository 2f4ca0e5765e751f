package io.gpuvm.guests.hostile.cuda;

/// Thrown if the backend has ended a session.
final class LostSessionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LostSessionException(String message) {
        super(message);
    }
}

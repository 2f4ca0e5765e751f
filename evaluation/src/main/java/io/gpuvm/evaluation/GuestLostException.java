package io.gpuvm.evaluation;

/// Thrown when a guest or its backend has ended, or does not answer; the message names the reason.
/// No further measurement is possible in this guest.
final class GuestLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GuestLostException(String message) {
        super(message);
    }
}

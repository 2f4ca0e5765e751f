package io.gpuvm.cli;

/// A command failed while it ran; the message is one line for the user.
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.record;

/// A recording cannot be made or read. The message says where, and why.
public final class RecordingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RecordingException(String message) {
        super(message);
    }

    RecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.record;

/// A recording cannot be made or read. The message says where, and why.
public final class RecordingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RecordingException(String message) {
        super(message);
    }

    public RecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.record;

/// Thrown if a recording cannot be created or read. The message contains the location and the
/// reason.
public final class RecordingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RecordingException(String message) {
        super(message);
    }

    public RecordingException(String message, Throwable cause) {
        super(message, cause);
    }
}

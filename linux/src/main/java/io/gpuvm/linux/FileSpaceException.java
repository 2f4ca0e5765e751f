package io.gpuvm.linux;

/// Thrown if a [FileSpace] refuses a range; the message names the value and the limit.
public final class FileSpaceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FileSpaceException(String message) {
        super(message);
    }

    FileSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}

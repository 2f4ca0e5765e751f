package io.gpuvm.counters;

/// Thrown if a counters file cannot be created or read. The message names the file.
public final class CountersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CountersException(String message) {
        super(message);
    }

    CountersException(String message, Throwable cause) {
        super(message, cause);
    }
}

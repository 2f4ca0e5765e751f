package io.gpuvm.workloads.measure;

/// A run within a measurement failed; the message says which.
public final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.workloads.measure;

/// Thrown when a run within a measurement fails; the message names the run.
public final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MeasurementException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.gpuvm.evaluation;

/// Thrown when a program answers a request with an error. The program continues.
final class RefusedRequestException extends MeasurementException {
    private static final long serialVersionUID = 1;

    RefusedRequestException(String message) {
        super(message);
    }
}

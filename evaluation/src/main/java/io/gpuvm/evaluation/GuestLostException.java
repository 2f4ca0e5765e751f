package io.gpuvm.evaluation;

/// Thrown when a guest or its backend has ended, does not answer, or answers with impossible
/// figures. No further measurement is possible in this guest.
final class GuestLostException extends MeasurementException {
    private static final long serialVersionUID = 1;

    GuestLostException(String message) {
        super(message);
    }
}

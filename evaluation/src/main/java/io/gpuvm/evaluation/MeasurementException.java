package io.gpuvm.evaluation;

/// Thrown when a measurement has no result. The message gives the reason for the gap in the
/// results.
abstract sealed class MeasurementException extends RuntimeException
        permits GuestLostException, RefusedRequestException {
    private static final long serialVersionUID = 1;

    /// @param message message, of which an [Excerpt] remains, because it may contain a guest's text
    MeasurementException(String message) {
        super(Excerpt.of(message));
    }
}

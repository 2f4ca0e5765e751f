package io.gpuvm.experiments;

/// Thrown if a figure cannot be drawn. The message is for the user.
final class PlotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlotException(String message) {
        super(message);
    }

    PlotException(String message, Throwable cause) {
        super(message, cause);
    }
}

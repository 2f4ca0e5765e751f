package io.gpuvm.experiments;

/// A figure cannot be made. The message is for whoever asked for it.
final class PlotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlotException(String message) {
        super(message);
    }

    PlotException(String message, Throwable cause) {
        super(message, cause);
    }
}

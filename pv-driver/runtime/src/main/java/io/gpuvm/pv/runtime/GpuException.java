package io.gpuvm.pv.runtime;

/// Thrown when a call of the runtime fails. For an invalid value, the message names the value and
/// the limit.
public final class GpuException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final GpuError error;

    public GpuException(GpuError error, String message) {
        this(error, message, null);
    }

    public GpuException(GpuError error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    /// Returns the kind of the error.
    public GpuError error() {
        return error;
    }
}

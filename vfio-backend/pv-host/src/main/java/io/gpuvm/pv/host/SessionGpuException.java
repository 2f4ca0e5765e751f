package io.gpuvm.pv.host;

/// Thrown when a session cannot have another resource of its GPU. The message names the value and
/// the limit.
public final class SessionGpuException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SessionGpuException(String message) {
        super(message);
    }
}

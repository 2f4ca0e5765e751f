package io.gpuvm.ptx.build;

/// Signals a valid function that needs more registers or local memory than a thread can have.
public final class ResourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ResourceException(String message) {
        super(message, null, false, false);
    }
}

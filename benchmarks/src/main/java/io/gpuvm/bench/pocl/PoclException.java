package io.gpuvm.bench.pocl;

/// Failure of an OpenCL call.
final class PoclException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    PoclException(String message) {
        super(message);
    }
}

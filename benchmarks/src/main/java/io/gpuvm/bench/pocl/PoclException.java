package io.gpuvm.bench.pocl;

/// Failure of a call of OpenCL.
final class PoclException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    PoclException(String message) {
        super(message);
    }
}

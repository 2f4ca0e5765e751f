package io.gpuvm.bench.pocl;

/// A call of OpenCL failed.
final class PoclException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PoclException(String message) {
        super(message);
    }
}

package io.gpuvm.cuda.service;

/// Thrown inside an executor if a call is refused.
final class CudaCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final CudaResult result;

    CudaCallException(CudaResult result, String message) {
        super(message, null, false, false);
        this.result = result;
    }

    CudaResult result() {
        return result;
    }
}

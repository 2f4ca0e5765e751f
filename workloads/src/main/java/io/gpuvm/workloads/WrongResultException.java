package io.gpuvm.workloads;

/// Thrown when a result of the GPU differs from the CPU's.
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param what name of the result
    /// @param index index of the difference
    public WrongResultException(String what, long index, Object found, Object expected) {
        super("%s[%d]=%s, expected=%s".formatted(what, index, found, expected));
    }
}

package io.gpuvm.workloads;

/// The GPU computed something else than the CPU.
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param what which result
    /// @param index where in it
    public WrongResultException(String what, long index, Object found, Object expected) {
        super("%s[%d]=%s, expected=%s".formatted(what, index, found, expected));
    }
}

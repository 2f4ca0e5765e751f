package io.gpuvm.workloads;

/// Thrown when a result of the GPU differs from the CPU's, or is out of range.
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param what name of the result
    /// @param index index of the difference
    public WrongResultException(String what, long index, Object found, Object expected) {
        this("%s[%d]=%s, expected=%s".formatted(what, index, found, expected));
    }

    private WrongResultException(String message) {
        super(message);
    }

    /// Returns the exception for a value that is out of range.
    ///
    /// @param what name of the value
    /// @param expected description of the valid values
    static WrongResultException outOfRange(String what, long found, String expected) {
        return new WrongResultException("%s=%d, expected %s".formatted(what, found, expected));
    }
}

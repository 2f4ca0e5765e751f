package io.gpuvm.cuda.compiler;

/// Failure of the compiler driver; the message is one line for the user, or null if a program that
/// the driver has run has already described the failure.
public final class CcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Exit status after wrong arguments.
    static final int USAGE = 2;

    /// Exit status if a program is not installed.
    static final int MISSING = 3;

    private final int status;

    private CcException(int status, String message) {
        super(message);
        this.status = status;
    }

    static CcException usage(String message) {
        return new CcException(USAGE, message);
    }

    static CcException missing(String message) {
        return new CcException(MISSING, message);
    }

    static CcException failure(String message) {
        return new CcException(1, message);
    }

    /// Returns the exception for a program that has printed its own errors.
    static CcException reported() {
        return new CcException(1, null);
    }

    /// Returns the exit status of the command.
    public int status() {
        return status;
    }
}

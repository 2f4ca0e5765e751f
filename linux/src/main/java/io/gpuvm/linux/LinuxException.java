package io.gpuvm.linux;

/// Thrown if the kernel refuses a system call.
public final class LinuxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /// @param call system call, with the arguments that explain the refusal
    /// @param errno error number of the kernel, positive
    public LinuxException(String call, int errno) {
        super(call + ": " + Errno.nameOf(errno));
        this.errno = errno;
    }

    /// Returns whether the kernel reported this error number.
    public boolean is(Errno reason) {
        return errno == reason.number();
    }
}

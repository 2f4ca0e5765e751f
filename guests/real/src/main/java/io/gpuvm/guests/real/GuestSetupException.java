package io.gpuvm.guests.real;

/// Thrown if QEMU, a kernel or the guest's programs could not be set up.
public final class GuestSetupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public GuestSetupException(String message) {
        super(message);
    }
}

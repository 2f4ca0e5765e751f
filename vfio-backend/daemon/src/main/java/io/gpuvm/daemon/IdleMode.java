package io.gpuvm.daemon;

import java.util.concurrent.TimeUnit;

/// What a virtual machine's thread does while its guest is silent: the choice between latency and
/// CPU time.
public enum IdleMode {
    /// Sleeps in the kernel at once. Costs no CPU, and a thread switch per round trip.
    BLOCK(0),
    /// Never sleeps while a guest is connected: one CPU per virtual machine, lowest latency.
    SPIN(Long.MAX_VALUE),
    /// Spins for a moment after each message, then sleeps: for a few round trips of QEMU, so that a
    /// run of register reads finds the thread awake, and longer than a paravirtual guest needs to
    /// read an answer and to send the next command.
    BACKOFF(TimeUnit.MICROSECONDS.toNanos(50));

    private final long spinNs;

    IdleMode(long spinNs) {
        this.spinNs = spinNs;
    }

    /// How long a thread looks on after something happened before it sleeps.
    ///
    /// @param hasGuest whether there is somebody to look for
    /// @return nanoseconds; [Long#MAX_VALUE] for ever
    long spinNs(boolean hasGuest) {
        return hasGuest ? spinNs : 0;
    }
}

package io.gpuvm.daemon;

import java.util.concurrent.TimeUnit;

/// Behaviour of a virtual machine's thread while its guest sends no messages: a choice between
/// latency and CPU time.
public enum IdleMode {
    /// Immediate sleep: no CPU time while idle, at the cost of a thread switch per round trip.
    BLOCK(0),
    /// No sleep while a guest is connected: one CPU per virtual machine, lowest latency.
    SPIN(Long.MAX_VALUE),
    /// Short spin after each message, then sleep. The spin covers a few round trips of QEMU, so
    /// that a sequence of register reads finds the thread awake, and is longer than a paravirtual
    /// guest needs to read a completion and to send the next command.
    BACKOFF(TimeUnit.MICROSECONDS.toNanos(50));

    private final long spinNs;

    IdleMode(long spinNs) {
        this.spinNs = spinNs;
    }

    /// Returns the time for which a thread spins after an event before it sleeps.
    ///
    /// @param hasGuest whether a guest is connected
    /// @return nanoseconds; [Long#MAX_VALUE] for indefinitely
    long spinNs(boolean hasGuest) {
        return hasGuest ? spinNs : 0;
    }
}

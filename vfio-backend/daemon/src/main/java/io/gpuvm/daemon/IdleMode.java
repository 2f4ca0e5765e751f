package io.gpuvm.daemon;

/// What a virtual machine's thread does while its guest is silent: the choice between latency and
/// CPU time.
public enum IdleMode {
    /// Sleeps in the kernel at once. Costs no CPU, and a thread switch per round trip.
    BLOCK,
    /// Never sleeps while a guest is connected: one CPU per virtual machine, lowest latency.
    SPIN,
    /// Spins for a moment after each message, then sleeps.
    BACKOFF
}

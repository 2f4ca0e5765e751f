package io.gpuvm.pv.remote;

/// Use of the command ring by a guest. Measurements compare both values.
public enum CommandBatching {
    /// The guest waits only for answers that it needs, may chain commands, and signals the backend
    /// only if the backend sleeps.
    ON,

    /// Each command rings the doorbell by a system call (or by a trap, in a virtual machine) and
    /// waits for its answer, like a hypercall. The ring never contains two commands of the guest.
    OFF
}

package io.gpuvm.pv.remote;

/// Use of the command ring by a guest. Measurements compare the two.
public enum CommandBatching {
    /// Commands that need no answer do not wait for one, commands may be chained, and the doorbell
    /// wakes the backend only if it sleeps.
    ON,

    /// Each command rings the doorbell by a system call (or by a trap, in a virtual machine) and
    /// waits for its answer, like a hypercall. The ring never contains two commands of the guest.
    OFF
}

package io.gpuvm.backend;

/// Which parts of a backend share a thread.
public enum ThreadMode {
    /// The GPU's owner, the poller of paravirtual guests and the engines of a software GPU have a
    /// thread each: they work at the same time.
    SEPARATE,
    /// They take turns on one thread: nobody waits for another thread to wake up. For machines with
    /// few processors, and short commands.
    COMPACT
}

package io.gpuvm.remote.session;

/// End of a session on the program's host. Confined to one thread.
interface HostEnd {
    /// Passes on what the program and the peer have sent.
    ///
    /// @return amount of work done
    /// @throws SessionException if the peer has violated the protocol
    int doWork();

    /// Returns whether the program's completion ring is full, of whose next free entry no signal
    /// tells.
    boolean isStalled();
}

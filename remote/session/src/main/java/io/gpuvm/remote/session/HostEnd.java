package io.gpuvm.remote.session;

import java.util.concurrent.TimeUnit;

/// End of a session on the program's host. Confined to one thread.
interface HostEnd extends AutoCloseable {
    /// Time after which a full ring is checked again: no signal tells of its next free entry.
    long STALL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Passes on what the program and the peer have sent.
    ///
    /// @return amount of work done
    /// @throws SessionException if the peer has violated the protocol
    int doWork(long nowNs);

    /// Returns the time until work becomes ready without an event, [Long#MAX_VALUE] for no limit.
    long nanosUntilWork(long nowNs);

    /// Returns whether a received frame waits for the program to take completions.
    boolean isStalled();

    /// Releases all resources.
    @Override
    default void close() {}
}

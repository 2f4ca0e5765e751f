package io.gpuvm.linux.agent;

/// A place where one thread at a time waits for the signals of others. [Parking] decides when.
public interface WaitPoint {
    /// The calling thread may wait here soon: what it does before anybody can signal it.
    default void prepare() {}

    /// Waits for a signal, also one since the last wait. May return without one.
    ///
    /// @param nanos how long at most; 0 only looks, [Long#MAX_VALUE] has no limit
    void await(long nanos);

    /// Ends the wait that is under way, or else the next one. Any thread.
    void signal();
}

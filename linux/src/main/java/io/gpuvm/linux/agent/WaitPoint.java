package io.gpuvm.linux.agent;

/// Point at which one thread at a time waits for signals from other threads. [Parking] decides when
/// the thread waits.
public interface WaitPoint {
    /// Prepares a wait of the calling thread, before another thread can signal it.
    default void prepare() {}

    /// Waits for a signal; a signal since the last wait ends the wait immediately. May return
    /// without a signal.
    ///
    /// @param nanos maximum time in nanoseconds; 0 only polls, [Long#MAX_VALUE] has no limit
    void await(long nanos);

    /// Ends the current wait, or else the next wait. Any thread.
    void signal();
}

package io.gpuvm.linux.agent;

/// Work of a thread that sleeps while it has none. All methods are called on that thread.
public interface Parkable {
    /// Checks for work a last time before the thread sleeps, while its parked flag is already
    /// visible: this check finds work that was published before, and any later waker signals. May
    /// do the work.
    ///
    /// @return whether there was no work, so that the thread may sleep
    boolean mayPark();

    /// Returns the maximum duration of the sleep, queried after [#mayPark()]; [Long#MAX_VALUE]
    /// without a limit.
    ///
    /// @return nanoseconds
    default long nanosUntilWork() {
        return Long.MAX_VALUE;
    }

    /// Called when the thread is awake again.
    ///
    /// @param slept false if it has not slept; [#mayPark()] may not have been called then
    default void onAwake(boolean slept) {}
}

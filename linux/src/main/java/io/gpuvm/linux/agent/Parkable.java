package io.gpuvm.linux.agent;

/// Work of a thread that sleeps while it has none. All methods are called on that thread.
public interface Parkable {
    /// Checks for work one last time before the thread sleeps. The thread's parked flag is already
    /// visible: the check finds work that was published earlier, and a thread that publishes work
    /// later sends a signal. May do the work.
    ///
    /// @return whether there was no work, so that the thread may sleep
    boolean mayPark();

    /// Returns the maximum duration of the sleep; [Long#MAX_VALUE] for no limit. Called after
    /// [#mayPark()].
    ///
    /// @return nanoseconds
    default long nanosUntilWork() {
        return Long.MAX_VALUE;
    }

    /// Called when the thread is awake again.
    ///
    /// @param slept whether the thread has slept; if not, [#mayPark()] may not have been called
    default void onAwake(boolean slept) {}
}

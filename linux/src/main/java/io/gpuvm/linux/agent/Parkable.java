package io.gpuvm.linux.agent;

/// Something for which a thread works that sleeps in between. All methods are called on that
/// thread.
public interface Parkable {
    /// Looks once more, now that everybody else knows that the thread is about to sleep: whatever
    /// was handed over in memory before is seen here, and whoever hands over more from now on wakes
    /// the thread. May do the work that it finds.
    ///
    /// @return whether there was nothing, so that the thread may sleep
    boolean mayPark();

    /// How long the thread may sleep, asked after [#mayPark()]; [Long#MAX_VALUE] until somebody
    /// wakes it.
    ///
    /// @return nanoseconds
    default long nanosUntilWork() {
        return Long.MAX_VALUE;
    }

    /// The thread is awake again.
    ///
    /// @param slept false if it has not slept after all; [#mayPark()] may not have been called then
    default void onAwake(boolean slept) {}
}

package io.gpuvm.linux.agent;

/// Something for which a thread works that sleeps in between. All methods are called on that
/// thread.
public interface Parkable {
    /// Checks for work a last time before the thread sleeps, when its parked flag is visible
    /// already: this check finds work that was published before, and any later waker signals. May
    /// do the work that it finds.
    ///
    /// @return whether there was nothing, so that the thread may sleep
    boolean mayPark();

    /// How long the thread may sleep, asked after [#mayPark()]; [Long#MAX_VALUE] without a limit.
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

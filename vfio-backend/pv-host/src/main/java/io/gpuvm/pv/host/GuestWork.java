package io.gpuvm.pv.host;

/// Execution of one guest's requests. Confined to the poller.
interface GuestWork {
    /// Does the pending work, up to a bound.
    ///
    /// @param budget budget of the place's turn, which this work reduces
    /// @return amount of work done
    int turn(TurnBudget budget);

    /// Returns the number of requests that the last [#turn] has started or continued.
    int taken();

    /// Returns whether work may become ready without an event that announces it.
    boolean isWaiting();

    /// Called once, when the poller stops serving the guest.
    void end();

    /// Returns the guest's resources.
    GuestResources resources();

    /// Returns some of the guest's resources to the place; takes a bounded time.
    ///
    /// @return whether all have been returned
    boolean release();
}

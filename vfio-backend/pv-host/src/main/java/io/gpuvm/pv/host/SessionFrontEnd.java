package io.gpuvm.pv.host;

/// Front end of a session: takes requests from the submission ring of its area, and executes them
/// on the session's GPU. Confined to the poller's thread, on which no method may block.
public interface SessionFrontEnd {
    /// Takes entries of the ring, and advances pending work. Called in each turn of the session,
    /// also with the limit 0.
    ///
    /// A front end copies an entry once, and checks the copy. It takes no further entry if
    /// [SessionGpu#isTurnLeft()] is false.
    ///
    /// @param limit maximum number of entries to take, 0 or more
    /// @return amount of work done; 0 if the front end need not be called again before an event
    int doWork(int limit);

    /// Returns the number of entries that the last [#doWork] has taken.
    int taken();

    /// Returns the number of entries that failed during the last [#doWork], which may have taken
    /// them earlier.
    int failed();

    /// Returns whether [#doWork] must be called although no event announces work: the poller then
    /// sleeps for at most 1 ms. Events are signals of the client, answers and interrupts of the
    /// GPU, and calls of [FrontEndParts#wakePoller()].
    boolean isWaiting();

    /// Ends the session. Called once, also if no other method has been called, before the session's
    /// resources are released: from now on, the front end does not use the GPU and the area.
    void close();
}

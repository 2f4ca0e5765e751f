package io.gpuvm.pv.host;

import io.gpuvm.linux.agent.EventWait;

/// Acceptor of the guests of one place, one for each session. Confined to the reception's thread.
interface GuestAcceptor extends AutoCloseable {
    /// Returns the number of descriptors for which this acceptor waits at most.
    int descriptors();

    /// Registers the descriptors for which this acceptor waits.
    ///
    /// @param first index of the first of [#descriptors()] slots
    /// @param nowNs current time of the reception's clock
    void watch(EventWait at, int first, long nowNs);

    /// Does some of the pending work; waits for the GPU's owner for at most one session.
    ///
    /// @param forget stops the wait for all descriptors of this acceptor, one of which is about to
    ///   be closed
    /// @return amount of work done
    int doWork(long nowNs, Runnable forget);

    /// Returns the time, in nanoseconds, until work becomes ready without an event.
    long nanosUntilWork(long nowNs);

    /// Disconnects all guests, and refuses all later guests; [#isFree()] reports completion.
    ///
    /// @param reason reason for the refusals
    void dismiss(String reason);

    /// Returns whether no guest is connected.
    boolean isFree();

    /// Returns the reason why resources of a former guest have not been released; null if all have
    /// been.
    String broken();

    /// Closes the acceptor. Resources of guests that have not left are not released.
    @Override
    void close();
}

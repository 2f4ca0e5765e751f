package io.gpuvm.pv.host;

import io.gpuvm.linux.agent.EventWait;

/// Acceptor of the guests of one place, one at a time. Confined to the reception's thread.
interface GuestAcceptor extends AutoCloseable {
    /// Registers the descriptors for which this acceptor waits.
    ///
    /// @param first index of the first of two slots
    /// @param nowNs current time of the reception's clock
    void watch(EventWait at, int first, long nowNs);

    /// Does the pending work.
    ///
    /// @param forget stops the wait for a descriptor that is about to be closed
    /// @return amount of work done
    int doWork(long nowNs, Runnable forget);

    /// Returns the time, in nanoseconds, until work becomes ready without an event.
    long nanosUntilWork(long nowNs);

    /// Disconnects the guest, if one is connected, and refuses all later guests; [#isFree()]
    /// reports completion.
    void dismiss();

    /// Returns whether no guest is connected.
    boolean isFree();

    /// Closes the acceptor. Resources of a guest that has not left are not released.
    @Override
    void close();
}

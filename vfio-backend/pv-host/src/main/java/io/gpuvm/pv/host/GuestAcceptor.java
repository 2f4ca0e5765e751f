package io.gpuvm.pv.host;

import io.gpuvm.linux.agent.EventWait;

/// Where the guests of one place come and go, one at a time. Confined to the reception's thread.
interface GuestAcceptor extends AutoCloseable {
    /// Sets the descriptors that this waits for.
    ///
    /// @param first the first of two slots
    void watch(EventWait at, int first, long nowNs);

    /// Does what there is to do.
    ///
    /// @param forget stops the wait for what is closed next
    /// @return how much was done
    int doWork(long nowNs, Runnable forget);

    /// How long until something happens of which nobody tells.
    long nanosUntilWork(long nowNs);

    /// Has the guest leave, if there is one, and refuses others; [#isFree()] says when it has left.
    void dismiss();

    /// Whether no guest is there.
    boolean isFree();

    /// A guest that has not left is lost with what it has.
    @Override
    void close();
}

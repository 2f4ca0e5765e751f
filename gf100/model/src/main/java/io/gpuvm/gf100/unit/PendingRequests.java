package io.gpuvm.gf100.unit;

/// Requests that another component completes in order, immediately or later, and their busy bit.
///
/// Each request that was not completed immediately receives exactly one reply, even if the driver
/// no longer waits for it. Requests are counted, not flagged, so that a late reply is not mistaken
/// for the reply to the current request. Confined to the register thread.
public final class PendingRequests {
    private long asked;
    private long answered;

    /// Number of replies at which the busy bit clears.
    private long awaited;

    /// Counts a request that has just been passed to the component.
    ///
    /// @param done whether the request has completed immediately, so that no reply follows
    public void ask(boolean done) {
        if (!done) {
            awaited = ++asked;
        }
    }

    /// Counts the reply to the oldest pending request. Has no effect if no request is pending.
    public void answer() {
        if (answered < asked) {
            answered++;
        }
    }

    /// Returns whether a request since the last [#forget()] is still pending.
    public boolean isBusy() {
        return answered < awaited;
    }

    /// Returns the number of requests without a reply, including requests before [#forget()].
    public long outstanding() {
        return asked - answered;
    }

    /// Clears the busy bit; replies to pending requests still arrive.
    public void forget() {
        awaited = 0;
    }

    /// Drops all pending requests: no replies to them follow.
    public void drop() {
        asked = 0;
        answered = 0;
        awaited = 0;
    }
}

package io.gpuvm.gf100.unit;

/// Requests that somebody carries out in order, at once or later, and what a busy bit says about
/// them.
///
/// Each request that was not carried out at once is answered exactly once, also when nobody waits
/// for it any more: requests are counted, not flagged, so that a late answer is not taken for the
/// answer to what a driver waits for now. Confined to the register thread.
public final class PendingRequests {
    private long asked;
    private long answered;

    /// The busy bit goes out when so many are answered.
    private long awaited;

    /// Counts a request that has just been passed on.
    ///
    /// @param done whether it was carried out at once, so that no answer will come
    public void ask(boolean done) {
        if (!done) {
            awaited = ++asked;
        }
    }

    /// Takes the answer to the oldest request that has none. One too many is ignored.
    public void answer() {
        if (answered < asked) {
            answered++;
        }
    }

    /// Whether a request made since the last [#forget()] is not carried out yet.
    public boolean isBusy() {
        return answered < awaited;
    }

    /// Requests, however old, that have no answer yet.
    public long outstanding() {
        return asked - answered;
    }

    /// Nobody waits any more. Answers still come.
    public void forget() {
        awaited = 0;
    }

    /// Whoever carries out requests has dropped them: no answer to any of them will come.
    public void drop() {
        asked = 0;
        answered = 0;
        awaited = 0;
    }
}

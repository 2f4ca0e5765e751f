package io.gpuvm.linux.agent;

/// Pause of an agent after Linux has refused a request, usually for lack of descriptors, which
/// become free when a guest or client disconnects. Confined to one thread.
public final class Pause {
    private final long lengthNs;
    private boolean begun;
    private long untilNs;

    /// @param lengthNs length of a pause in nanoseconds
    public Pause(long lengthNs) {
        this.lengthNs = lengthNs;
    }

    /// Begins a pause, or restarts the current pause.
    ///
    /// @param nowNs time of a monotonic clock, which may overflow; the same clock for all methods
    public void begin(long nowNs) {
        begun = true;
        untilNs = nowNs + lengthNs;
    }

    /// Returns whether a pause has begun and is not over.
    public boolean lasts(long nowNs) {
        begun &= nowNs - untilNs < 0;
        return begun;
    }

    /// Returns the nanoseconds until the pause is over; [Long#MAX_VALUE] if there is no pause.
    /// After a pause has ended, returns 0 until [#lasts] is called, so that the agent does not park
    /// before it retries.
    public long nanosLeft(long nowNs) {
        return begun ? Math.max(0, untilNs - nowNs) : Long.MAX_VALUE;
    }
}

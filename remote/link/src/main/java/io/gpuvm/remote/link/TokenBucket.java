package io.gpuvm.remote.link;

import java.util.concurrent.TimeUnit;

/// Limit of events: a burst, then a rate. Confined to one thread.
final class TokenBucket {
    private final int burst;
    private final long intervalNs;
    private int tokens;
    private boolean begun;
    private long sinceNs;

    /// @param burst number of events at once, at least 1
    /// @param perSecond events per second, at least 1
    TokenBucket(int burst, int perSecond) {
        this.burst = burst;
        intervalNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
        tokens = burst;
    }

    /// Returns whether an event is permitted.
    ///
    /// @param nowNs time of a monotonic clock, which may overflow; the same clock for all methods
    boolean permits(long nowNs) {
        if (!begun) {
            begun = true;
            sinceNs = nowNs;
        }
        long gained = (nowNs - sinceNs) / intervalNs;
        if (gained > 0) {
            tokens = (int) Math.min(burst, tokens + gained);
            sinceNs += gained * intervalNs;
        }
        return tokens > 0;
    }

    /// Counts an event, also one that is not permitted.
    void take(long nowNs) {
        if (permits(nowNs)) {
            tokens--;
        }
    }

    /// Returns the time until an event is permitted, at least 0, after [#permits].
    long nanosUntilPermit(long nowNs) {
        return tokens > 0 ? 0 : Math.max(0, sinceNs + intervalNs - nowNs);
    }
}

package io.gpuvm.remote.session;

import java.util.concurrent.TimeUnit;

/// Intervals at which a sleeping thread looks for changes of which no signal tells: short after a
/// submission or a change, then longer.
final class LookPace {
    private static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Time without a change after which changes are improbable.
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long QUIET_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /// Part of the time since the last change that a change may be seen late.
    private static final int PART = 8;

    private long changedNs;

    /// Notes a submission or a change.
    void touch(long nowNs) {
        changedNs = nowNs;
    }

    /// Returns the time until the next look.
    long intervalNs(long nowNs) {
        long sinceNs = nowNs - changedNs;
        return sinceNs >= QUIET_NS
                ? QUIET_INTERVAL_NS
                : Math.clamp(sinceNs / PART, SHORTEST_NS, LONGEST_NS);
    }
}

package io.gpuvm.pv.host;

import java.util.concurrent.TimeUnit;

/// Pause after a refusal by the kernel, which mostly lacks descriptors: some come back when a guest
/// leaves. Confined to one thread.
final class Pause {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private boolean begun;
    private long untilNs;

    /// Begins a pause of 100 ms, or begins it anew.
    void begin(long nowNs) {
        begun = true;
        untilNs = nowNs + PAUSE_NS;
    }

    /// Returns whether a pause has begun and is not over.
    boolean lasts(long nowNs) {
        begun &= nowNs - untilNs < 0;
        return begun;
    }

    /// Returns the nanoseconds until the pause is over, [Long#MAX_VALUE] if there is none.
    long nanosLeft(long nowNs) {
        return lasts(nowNs) ? untilNs - nowNs : Long.MAX_VALUE;
    }
}

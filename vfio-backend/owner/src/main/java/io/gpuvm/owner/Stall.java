package io.gpuvm.owner;

import java.util.concurrent.TimeUnit;

/// Unit that waits for the guest of a channel, and the duration of the wait. Other guests also need
/// the unit, so the channel of an unresponsive guest is killed.
///
/// Confined to the owner's thread.
final class Stall {
    /// Maximum duration of a wait: many times the duration of a driver's interrupt handler in an
    /// emulated machine on a busy host.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private OwnedChannel channel;
    private long sinceNs;

    void begin(OwnedChannel of, long nowNs) {
        channel = of;
        sinceNs = nowNs;
    }

    void end() {
        channel = null;
    }

    /// Returns the channel for whose guest the unit waits; null if the unit does not wait.
    OwnedChannel channel() {
        return channel;
    }

    boolean isOf(AttachedSession session) {
        return channel != null && channel.session() == session;
    }

    boolean isOverdue(long nowNs) {
        return channel != null && nowNs - sinceNs > LIMIT_NS;
    }
}

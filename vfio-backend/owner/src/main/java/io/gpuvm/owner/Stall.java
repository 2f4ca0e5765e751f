package io.gpuvm.owner;

import java.util.concurrent.TimeUnit;

/// A unit that waits until the guest of a channel has dealt with something, and how long it has
/// been waiting. Others need the unit, too, so that a guest which does nothing loses the channel.
///
/// Confined to the owner's thread.
final class Stall {
    /// Many times what a driver's interrupt handler takes, in an emulated machine on a busy host.
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

    /// The channel at which the unit waits; null if it does not.
    OwnedChannel channel() {
        return channel;
    }

    boolean isOf(AttachedVm vm) {
        return channel != null && channel.vm() == vm;
    }

    boolean isOverdue(long nowNs) {
        return channel != null && nowNs - sinceNs > LIMIT_NS;
    }
}

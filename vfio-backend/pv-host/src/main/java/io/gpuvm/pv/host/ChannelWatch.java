package io.gpuvm.pv.host;

import io.gpuvm.pv.host.GuestChannel.State;

/// Channels whose rings the GPU has not read completely. Shows the GPU's positions in the channels'
/// slots. Confined to the poller; no method allocates.
final class ChannelWatch {
    /// Channels whose rings the GPU had not read completely at the last check.
    private final GuestChannel[] watched;

    private int count;

    /// @param most maximum number of channels
    ChannelWatch(int most) {
        watched = new GuestChannel[most];
    }

    /// Adds a channel to which entries have been submitted.
    void add(GuestChannel channel) {
        if (channel.watch()) {
            watched[count++] = channel;
        }
    }

    /// Shows the guest the GPU's position in each channel's ring.
    ///
    /// @return number of channels that made progress
    int check() {
        int moved = 0;
        for (int i = count - 1; i >= 0; i--) {
            GuestChannel channel = watched[i];
            if (channel.showProgress()) {
                moved++;
            }
            if (channel.hasReadAll() || channel.isDead() || channel.state() != State.OPEN) {
                channel.unwatch();
                watched[i] = watched[--count];
            }
        }
        return moved;
    }

    /// Returns whether the GPU had entries left to read at the last check.
    boolean isAny() {
        return count > 0;
    }
}

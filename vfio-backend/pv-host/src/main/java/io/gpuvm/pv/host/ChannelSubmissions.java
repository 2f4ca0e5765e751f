package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.CommandStatus;

/// What a guest submits to its channels, from the command until the GPU has read it. However often
/// a channel is submitted to in a turn, its doorbell rings once, at the end. Confined to the
/// poller; nothing here allocates.
final class ChannelSubmissions {
    private final GuestChannels channels;
    private final GpuRequests requests;
    private final GuestCounts counts;

    /// Numbers of channels whose submissions are yet to be handed on.
    private final int[] rung;

    private int rungCount;

    /// Numbers of channels of which the GPU has not yet read all.
    private final int[] watched;

    private int watchedCount;

    ChannelSubmissions(GuestChannels channels, GpuRequests requests, GuestCounts counts) {
        this.channels = channels;
        this.requests = requests;
        this.counts = counts;
        rung = new int[channels.most()];
        watched = new int[channels.most()];
    }

    /// Notes how far a channel's ring is filled.
    ///
    /// @param number what the guest says, any number
    /// @param put what the guest says, any number
    /// @return why not, else [CommandStatus#OK]
    CommandStatus submit(int number, int put) {
        GuestChannel channel = channels.openOne(number);
        if (channel == null) {
            return CommandStatus.BAD_HANDLE;
        }
        if (Integer.compareUnsigned(put, channel.ringEntries()) >= 0) {
            return CommandStatus.BAD_RANGE;
        }
        if (channel.isDead()) {
            return CommandStatus.CHANNEL_DEAD;
        }
        counts.add(PvCounter.SUBMISSIONS, 1);
        if (channel.submit(put)) {
            rung[rungCount++] = number;
        }
        return CommandStatus.OK;
    }

    /// Hands on what was submitted; what the page tables show is in force by then.
    void ring() {
        for (int i = 0; i < rungCount; i++) {
            GuestChannel channel = channels.channel(rung[i]);
            int put = channel.takePut();
            if (channel.state() == State.OPEN && !channel.isDead()) {
                requests.ring(channel.number(), put);
                if (channel.watch()) {
                    watched[watchedCount++] = channel.number();
                }
            }
        }
        rungCount = 0;
    }

    /// Tells the guest how far the GPU has read.
    ///
    /// @return how many channels made progress
    int watch() {
        int moved = 0;
        for (int i = watchedCount - 1; i >= 0; i--) {
            GuestChannel channel = channels.channel(watched[i]);
            if (channel.showProgress()) {
                moved++;
            }
            if (channel.hasReadAll() || channel.isDead() || channel.state() != State.OPEN) {
                channel.unwatch();
                watched[i] = watched[--watchedCount];
            }
        }
        return moved;
    }

    /// Whether the GPU has yet to read something, as far as is known.
    boolean isAnyWatched() {
        return watchedCount > 0;
    }
}

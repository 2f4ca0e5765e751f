package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.CommandStatus;

/// A guest's submissions to its channels, from the command until the GPU has read them. A channel's
/// doorbell rings once, at the end of a turn, for all submissions of that turn. Confined to the
/// poller; no method allocates.
final class ChannelSubmissions {
    private final GuestChannels channels;
    private final GpuRequests requests;
    private final GuestCounts counts;

    /// Numbers of channels whose submissions are pending.
    private final int[] rung;

    private int rungCount;

    /// Numbers of channels whose rings the GPU had not read completely at the last check.
    private final int[] watched;

    private int watchedCount;

    ChannelSubmissions(GuestChannels channels, GpuRequests requests, GuestCounts counts) {
        this.channels = channels;
        this.requests = requests;
        this.counts = counts;
        rung = new int[channels.most()];
        watched = new int[channels.most()];
    }

    /// Records the put index of a channel's ring.
    ///
    /// @param number number of the channel from the guest, any value
    /// @param put index from the guest, any value
    /// @return the reason for a refusal, else [CommandStatus#OK]
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

    /// Rings the doorbells of all channels with pending submissions. Called after the turn's
    /// flushes have been requested.
    void ring() {
        for (int i = 0; i < rungCount; i++) {
            GuestChannel channel = channels.channel(rung[i]);
            int put = channel.takePut();
            if (channel.state() == State.OPEN && !channel.isDead()) {
                requests.ring(channel.id(), put);
                if (channel.watch()) {
                    watched[watchedCount++] = channel.number();
                }
            }
        }
        rungCount = 0;
    }

    /// Shows the guest the GPU's position in each channel's ring.
    ///
    /// @return number of channels that made progress
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

    /// Returns whether the GPU had entries left to read at the last check.
    boolean isAnyWatched() {
        return watchedCount > 0;
    }
}

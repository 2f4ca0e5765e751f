package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.CommandStatus;
import java.util.function.Consumer;

/// A guest's submissions to its channels in one turn. A channel's doorbell rings once, at the end
/// of the turn, for all submissions of that turn. Confined to the poller; no method allocates.
final class ChannelSubmissions {
    private final GuestChannels channels;
    private final GpuRequests requests;
    private final GuestCounts counts;
    private final Consumer<GuestChannel> onRung;

    /// Numbers of channels whose submissions are pending.
    private final int[] rung;

    private int rungCount;

    /// @param onRung called when the doorbell of a channel has rung
    ChannelSubmissions(
            GuestChannels channels,
            GpuRequests requests,
            GuestCounts counts,
            Consumer<GuestChannel> onRung) {
        this.channels = channels;
        this.requests = requests;
        this.counts = counts;
        this.onRung = onRung;
        rung = new int[channels.most()];
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
                onRung.accept(channel);
            }
        }
        rungCount = 0;
    }
}

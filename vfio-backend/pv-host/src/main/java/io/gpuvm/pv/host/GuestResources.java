package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.protocol.ChannelSlot;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// A guest's resources of the GPU, and the pending requests for them to the GPU's owner. Confined
/// to the poller.
///
/// @param numbers numbers of the flushes that have been requested
/// @param flushes flushes not yet requested from the GPU's owner
/// @param submissions submissions not yet passed to the GPU's owner
record GuestResources(
        GuestCounts counts,
        FlushNumbers numbers,
        GuestMemory memory,
        SpaceFlushes flushes,
        GuestChannels channels,
        ChannelSubmissions submissions) {
    /// Maximum number of unanswered requests to the GPU's owner. The request queue has room for
    /// several times as many, so that the poller never waits for free entries.
    private static final int MOST_REQUESTS = 128;

    /// Returns the resources of a guest that has none yet.
    ///
    /// @param seat session of the guest
    /// @param dataBytes length of the data area
    /// @param slots returns the slot of a channel, by the channel's number
    /// @param listener receives the answers to requests for channels
    /// @param onRung called when the doorbell of a channel has rung
    static GuestResources of(
            PvPlace place,
            PvSeat seat,
            long dataBytes,
            FlushNumbers numbers,
            IntFunction<ChannelSlot> slots,
            ChannelListener listener,
            Consumer<GuestChannel> onRung) {
        GpuRequests requests = seat.port().requests();
        GuestCounts counts = new GuestCounts(place.counters());
        GuestMemory memory =
                new GuestMemory(place, place.memory().toBus(seat.dataGuestPhysical()), dataBytes);
        GuestChannels channels = new GuestChannels(place, seat, slots, listener);
        return new GuestResources(
                counts,
                numbers,
                memory,
                new SpaceFlushes(requests, memory, numbers, counts),
                channels,
                new ChannelSubmissions(channels, requests, counts, onRung));
    }

    /// Returns whether so many requests to the GPU's owner are unanswered that no more may be made.
    boolean hasManyRequests() {
        return flushes.outstanding() + channels.underWay() >= MOST_REQUESTS;
    }

    /// Returns some of the resources to the place, after the GPU has stopped using them; takes a
    /// bounded time.
    ///
    /// @return whether all have been returned
    boolean release() {
        if (!memory.release()) {
            return false;
        }
        channels.release();
        return true;
    }
}

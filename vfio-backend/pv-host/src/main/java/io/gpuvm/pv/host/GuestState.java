package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// Host's state of a guest: its resources and its pending answers. Each check of a guest's command
/// depends on this state alone. Confined to the poller.
///
/// @param mapping execution of commands that map or unmap; idle if no such command is in progress
/// @param flushes flushes not yet requested from the GPU's owner
record GuestState(
        GuestCounts counts,
        Answers answers,
        GuestDataArea data,
        GuestMemory memory,
        Mapping mapping,
        SpaceFlushes flushes,
        GuestChannels channels,
        ChannelSubmissions submissions,
        GuestFences fences) {
    /// Returns the state of a guest that has no resources yet.
    ///
    /// @param seat session of the guest
    /// @param clockNs monotonic clock, in nanoseconds
    static GuestState of(PvPlace place, PvSeat seat, SharedArea area, LongSupplier clockNs) {
        PvQuotas quotas = place.quotas();
        GpuRequests requests = seat.port().requests();
        GuestCounts counts = new GuestCounts(place.counters());
        Answers answers = new Answers(area.completionProducer(), quotas.commandsInFlight());
        GuestDataArea data = new GuestDataArea(area.data());
        GuestMemory memory =
                new GuestMemory(
                        place,
                        place.memory().toBus(seat.dataGuestPhysical()),
                        area.layout().dataBytes());
        GuestChannels channels = new GuestChannels(place, seat, area, answers);
        return new GuestState(
                counts,
                answers,
                data,
                memory,
                new Mapping(memory, area.data()),
                new SpaceFlushes(requests, memory, answers, counts),
                channels,
                new ChannelSubmissions(channels, requests, counts),
                new GuestFences(data, place.use().waits(), quotas.waits(), clockNs));
    }
}

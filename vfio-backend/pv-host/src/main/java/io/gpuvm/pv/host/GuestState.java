package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// What the host keeps of a guest: what it has, and what it is owed. What it may do is decided by
/// this alone. Confined to the poller.
///
/// @param mapping the one that is under way, if there is one
/// @param flushes those that the GPU is yet to be asked for
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
    /// A guest that has nothing yet.
    ///
    /// @param clockNs never runs backwards
    static GuestState of(PvPlace place, SharedArea area, LongSupplier clockNs) {
        PvQuotas quotas = place.quotas();
        GuestCounts counts = new GuestCounts(place.counters());
        Answers answers = new Answers(area.completionProducer(), quotas.commandsInFlight());
        GuestDataArea data = new GuestDataArea(area.data());
        GuestMemory memory =
                new GuestMemory(
                        place.vram(),
                        place.arena(),
                        quotas,
                        place.memory().base(),
                        area.layout().dataBytes());
        GuestChannels channels =
                new GuestChannels(
                        area, place.arena(), place.requests(), answers, place.gpu().channels());
        return new GuestState(
                counts,
                answers,
                data,
                memory,
                new Mapping(memory, area.data(), quotas.mappedPages()),
                new SpaceFlushes(place.requests(), memory, answers, counts),
                channels,
                new ChannelSubmissions(channels, place.requests(), counts),
                new GuestFences(data, quotas.waits(), clockNs));
    }
}

package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// Host's state of a guest that sends commands: its resources and its pending answers. Each check
/// of a guest's command depends on this state alone. Confined to the poller.
///
/// @param watch channels whose rings the GPU has not read completely
/// @param mapping execution of commands that map or unmap; idle if no such command is in progress
record GuestState(
        GuestResources resources,
        Answers answers,
        GuestDataArea data,
        ChannelWatch watch,
        Mapping mapping,
        GuestFences fences) {
    /// Returns the state of a guest that has no resources yet.
    ///
    /// @param seat session of the guest
    /// @param clockNs monotonic clock, in nanoseconds
    static GuestState of(PvPlace place, PvSeat seat, SharedArea area, LongSupplier clockNs) {
        PvQuotas quotas = place.quotas();
        FlushNumbers numbers = new FlushNumbers();
        Answers answers =
                new Answers(area.completionProducer(), numbers, quotas.commandsInFlight());
        GuestDataArea data = new GuestDataArea(area.data());
        ChannelWatch watch = new ChannelWatch(place.use().channels().mostOfOne());
        GuestResources resources =
                GuestResources.of(
                        place,
                        seat,
                        area.layout().dataBytes(),
                        numbers,
                        area::channel,
                        new ChannelReplies(answers),
                        watch::add);
        return new GuestState(
                resources,
                answers,
                data,
                watch,
                new Mapping(resources.memory(), area.data()),
                new GuestFences(data, place.use().waits(), quotas.waits(), clockNs));
    }

    GuestCounts counts() {
        return resources.counts();
    }

    GuestMemory memory() {
        return resources.memory();
    }

    SpaceFlushes flushes() {
        return resources.flushes();
    }

    GuestChannels channels() {
        return resources.channels();
    }

    ChannelSubmissions submissions() {
        return resources.submissions();
    }
}

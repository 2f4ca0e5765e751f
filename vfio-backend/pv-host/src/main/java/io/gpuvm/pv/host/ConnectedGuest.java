package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// What the host has for one guest while it is there, beside the memory that both share. Made and
/// closed by the reception; waits for the GPU's owner.
final class ConnectedGuest implements AutoCloseable {
    /// The guest's data area is the first that its GPU could see.
    private static final long DATA_GUEST_PHYSICAL = 0;

    private final PvPlace place;
    private final long dataBytes;
    private final PvGuest guest;

    private ConnectedGuest(PvPlace place, long dataBytes, PvGuest guest) {
        this.place = place;
        this.dataBytes = dataBytes;
        this.guest = guest;
    }

    /// Makes everything that a guest needs, and lets the GPU reach its data area.
    ///
    /// @param memory reads as zeros; stays the caller's, as long as the guest lives
    /// @param wakeHost the guest signals it when the host sleeps; stays the caller's, too
    /// @param wakeGuest wakes the guest when it sleeps; called on the poller's thread
    /// @param onDropped told, on the poller's thread, that the poller serves the guest no more
    /// @param clockNs never runs backwards
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU's owner does not answer
    static ConnectedGuest open(
            PvPlace place,
            AreaMemory memory,
            HostWake wakeHost,
            Runnable wakeGuest,
            Runnable onDropped,
            LongSupplier clockNs) {
        AreaLayout layout = memory.layout();
        place.requests()
                .mapDma(
                        new DmaMapping(
                                memory.descriptor(),
                                layout.data(),
                                layout.dataBytes(),
                                DATA_GUEST_PHYSICAL,
                                true));
        try {
            SharedArea area = SharedArea.create(memory.segment(), layout, limitsOf(place));
            PvGuest guest = new PvGuest(place, area, wakeHost, wakeGuest, onDropped, clockNs);
            return new ConnectedGuest(place, layout.dataBytes(), guest);
        } catch (RuntimeException | Error e) {
            place.requests().unmapDma(DATA_GUEST_PHYSICAL, layout.dataBytes());
            throw e;
        }
    }

    PvGuest guest() {
        return guest;
    }

    /// Takes everything off the GPU and zeroes what others could find, after the poller has dropped
    /// the guest: the place is as new.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU's owner does not answer; nothing
    ///   is given back then that the GPU may still use
    @Override
    public void close() {
        guest.close();
        place.requests().unmapDma(DATA_GUEST_PHYSICAL, dataBytes);
        place.inbox().poll(new IgnoredCompletions());
        place.scrub().run();
    }

    private static PvLimits limitsOf(PvPlace place) {
        PvQuotas quotas = place.quotas();
        return new PvLimits(
                place.gpu(),
                quotas.handles(),
                quotas.spaces(),
                quotas.mappedPages(),
                quotas.commandsInFlight(),
                quotas.waits());
    }
}

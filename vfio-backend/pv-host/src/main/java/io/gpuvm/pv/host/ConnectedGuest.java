package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// Host's resources for one connected guest, apart from the shared area. Created and closed on the
/// reception's thread, where both operations wait for the GPU's owner.
final class ConnectedGuest implements AutoCloseable {
    /// Guest-physical address of the data area, the only memory of the guest that the GPU can
    /// access.
    private static final long DATA_GUEST_PHYSICAL = 0;

    private final PvPlace place;
    private final long dataBytes;
    private final PvGuest guest;

    private ConnectedGuest(PvPlace place, long dataBytes, PvGuest guest) {
        this.place = place;
        this.dataBytes = dataBytes;
        this.guest = guest;
    }

    /// Allocates a guest's resources, and maps its data area for the GPU.
    ///
    /// @param memory memory of the area, all zeros; owned by the caller, open until the guest is
    ///   closed
    /// @param wakeHost signalled by the guest when the host sleeps; owned by the caller
    /// @param wakeGuest wakes the guest when it sleeps; called on the poller's thread
    /// @param onDropped called on the poller's thread when the poller stops serving the guest
    /// @param clockNs monotonic clock, in nanoseconds
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

    /// Removes the guest's state from the GPU and zeroes all memory that the next guest could read.
    /// The place is then ready for the next guest. Called after the poller has dropped the guest.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU's owner does not answer;
    ///   resources that the GPU may still use then remain allocated
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

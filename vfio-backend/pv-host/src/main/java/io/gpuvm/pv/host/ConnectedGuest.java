package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.port.UnsettledException;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// Host's resources for one connected guest, apart from the shared area. Created and removed on the
/// reception's thread, where both operations wait for the GPU's owner.
final class ConnectedGuest {
    private final PvSeat seat;
    private final long dataBytes;
    private final PvGuest guest;

    private ConnectedGuest(PvSeat seat, long dataBytes, PvGuest guest) {
        this.seat = seat;
        this.dataBytes = dataBytes;
        this.guest = guest;
    }

    /// Allocates a guest's resources, and maps its data area for the GPU.
    ///
    /// @param seat session of the guest
    /// @param memory memory of the area, all zeros; owned by the caller, open until the guest has
    ///   been removed
    /// @param wakeHost signalled by the guest when the host sleeps; owned by the caller
    /// @param wakeGuest wakes the guest when it sleeps; called on the poller's thread
    /// @param onChange called on the poller's thread when the poller stops serving the guest, and
    ///   when it has released the guest's resources
    /// @param clockNs monotonic clock, in nanoseconds
    /// @throws GpuDeviceException if the GPU refuses the mapping
    /// @throws UnsettledException if the GPU may still access the data area, or gain access to it
    static ConnectedGuest open(
            PvPlace place,
            PvSeat seat,
            AreaMemory memory,
            HostWake wakeHost,
            Runnable wakeGuest,
            Runnable onChange,
            LongSupplier clockNs) {
        AreaLayout layout = memory.layout();
        seat.port()
                .requests()
                .mapDma(
                        new DmaMapping(
                                memory.descriptor(),
                                memory.offset() + layout.data(),
                                layout.dataBytes(),
                                seat.dataGuestPhysical(),
                                true));
        try {
            SharedArea area = SharedArea.create(memory.segment(), layout, limitsOf(place));
            PvGuest guest = new PvGuest(place, seat, area, wakeHost, wakeGuest, onChange, clockNs);
            return new ConnectedGuest(seat, layout.dataBytes(), guest);
        } catch (RuntimeException | Error e) {
            takeBack(seat, layout.dataBytes(), e);
            throw e;
        }
    }

    private static void takeBack(PvSeat seat, long dataBytes, Throwable why) {
        try {
            seat.port().requests().unmapDma(seat.dataGuestPhysical(), dataBytes);
        } catch (GpuDeviceException e) {
            UnsettledException unsettled = new UnsettledException(e.getMessage(), e);
            unsettled.addSuppressed(why);
            throw unsettled;
        }
    }

    PvGuest guest() {
        return guest;
    }

    /// Removes the guest from the GPU, which then no longer accesses the guest's memory. Called
    /// after the poller has dropped the guest.
    ///
    /// @throws GpuDeviceException if the GPU's owner does not answer; resources that the GPU may
    ///   still use then remain allocated
    void takeOffGpu() {
        guest.takeOffGpu();
        seat.port().requests().unmapDma(seat.dataGuestPhysical(), dataBytes);
        seat.port().inbox().poll(new IgnoredCompletions());
    }

    private static PvLimits limitsOf(PvPlace place) {
        PvQuotas quotas = place.quotas();
        return new PvLimits(
                place.gpuOfOne(),
                quotas.handles(),
                quotas.spaces(),
                quotas.mappedPages(),
                quotas.commandsInFlight(),
                quotas.waits());
    }
}

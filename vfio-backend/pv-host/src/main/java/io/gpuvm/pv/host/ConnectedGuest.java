package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.port.UnsettledException;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Host's resources for one connected guest, apart from the shared area. Created and removed on the
/// reception's thread, where both operations wait for the GPU's owner.
final class ConnectedGuest {
    private final PvSeat seat;
    private final List<DmaMapping> mappings;

    /// Memory of the guest's front end; null if it has none.
    private final PrivateMemory ownMemory;

    private final PvGuest guest;

    private ConnectedGuest(
            PvSeat seat, List<DmaMapping> mappings, PrivateMemory ownMemory, PvGuest guest) {
        this.seat = seat;
        this.mappings = mappings;
        this.ownMemory = ownMemory;
        this.guest = guest;
    }

    /// Allocates a guest's resources, and maps its memory for the GPU.
    ///
    /// @param seat session of the guest
    /// @param memory memory of the area, all zeros; owned by the caller, open until the guest has
    ///   been removed
    /// @param wakes signals in both directions
    /// @param clockNs monotonic clock, in nanoseconds
    /// @throws GpuDeviceException if the GPU refuses the mapping
    /// @throws io.gpuvm.linux.LinuxException if Linux provides no memory for the guest
    /// @throws UnsettledException if the GPU may still access the memory, or gain access to it
    static ConnectedGuest open(
            PvPlace place, PvSeat seat, AreaMemory memory, GuestWakes wakes, LongSupplier clockNs) {
        List<DmaMapping> mappings = new ArrayList<>();
        PrivateMemory ownMemory = null;
        try {
            AreaLayout layout = memory.layout();
            map(
                    seat,
                    mappings,
                    new DmaMapping(
                            memory.descriptor(),
                            memory.offset() + layout.data(),
                            layout.dataBytes(),
                            seat.dataGuestPhysical(),
                            true));
            if (place.kind() instanceof PlaceKind.FrontEnds) {
                ownMemory = PrivateMemory.create(place, place.quotas().privateBytes());
                map(seat, mappings, ownMemory.dmaMapping(seat.privateGuestPhysical()));
            }
            SharedArea area =
                    SharedArea.create(
                            memory.segment(), place.kind().protocol(), layout, limitsOf(place));
            GuestWork work =
                    switch (place.kind()) {
                        case PlaceKind.Commands _ ->
                                new CommandWork(place, seat, area, wakes.wakeGuest(), clockNs);
                        case PlaceKind.FrontEnds kind ->
                                new FrontEndWork(
                                        place,
                                        seat,
                                        area,
                                        ownMemory,
                                        kind.frontEnds(),
                                        wakes.wakeGuest(),
                                        wakes.wakePoller());
                    };
            PvGuest guest =
                    new PvGuest(place, seat, area, wakes.wakeHost(), wakes.onChange(), work);
            return new ConnectedGuest(seat, mappings, ownMemory, guest);
        } catch (RuntimeException | Error e) {
            takeBack(seat, mappings, e);
            if (ownMemory != null && !(e instanceof UnsettledException)) {
                ownMemory.close();
            }
            throw e;
        }
    }

    private static void map(PvSeat seat, List<DmaMapping> mappings, DmaMapping mapping) {
        seat.port().requests().mapDma(mapping);
        mappings.add(mapping);
    }

    private static void takeBack(PvSeat seat, List<DmaMapping> mappings, Throwable why) {
        try {
            unmap(seat, mappings);
        } catch (GpuDeviceException e) {
            UnsettledException unsettled = new UnsettledException(e.getMessage(), e);
            unsettled.addSuppressed(why);
            throw unsettled;
        }
    }

    private static void unmap(PvSeat seat, List<DmaMapping> mappings) {
        for (DmaMapping mapping : mappings) {
            seat.port().requests().unmapDma(mapping.iova(), mapping.bytes());
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
        unmap(seat, mappings);
        seat.port().inbox().poll(new IgnoredCompletions());
        if (ownMemory != null) {
            ownMemory.close();
        }
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

package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.port.UnsettledException;

/// Slot for the guest of one session of a place, over a socket or a function.
///
/// ```text
///            open            leave, or          taken off            VRAM             resources
///                      dropped by the poller     the GPU            zeroed            returned
///   FREE ---------> SERVED -----------> LEAVING --------> SCRUBBING ------> RETURNING ---------> FREE
///     |                                    |                  |
///     +------------------------------------+------------------+--> BROKEN, if the GPU fails
/// ```
///
/// A guest that leaves passes through the poller twice: first the poller stops serving it, and at
/// the end it returns the guest's resources to the place, which other sessions use meanwhile.
/// Confined to the reception's thread.
final class GuestSlot {
    private enum Phase {
        /// No guest.
        FREE,
        /// Guest that the poller serves.
        SERVED,
        /// Guest that the poller stops serving, or has stopped serving.
        LEAVING,
        /// Guest whose VRAM is zeroed before the place's other guests can allocate it.
        SCRUBBING,
        /// Guest whose resources the poller returns to the place.
        RETURNING,
        /// Resources that the GPU may still use, so that the slot accepts no more guests.
        BROKEN
    }

    private final int number;
    private final GuestSlots slots;
    private final PvPlace place;
    private final PvPoller poller;

    /// Ports of the session, which successive guests use; null before the first guest.
    private PvPort port;

    private Phase phase = Phase.FREE;

    /// Connected guest; null if the slot is free or broken.
    private ConnectedGuest connection;

    /// Reason why the slot no longer accepts guests; null while it works.
    private String broken;

    /// @param number number of the session
    GuestSlot(int number, GuestSlots slots, PvPlace place, PvPoller poller) {
        this.number = number;
        this.slots = slots;
        this.place = place;
        this.poller = poller;
    }

    /// Returns whether the slot has no guest, and none whose resources have not been released.
    boolean isFree() {
        return phase == Phase.FREE;
    }

    /// Returns whether the slot has a guest that is not leaving.
    boolean isServed() {
        return phase == Phase.SERVED;
    }

    /// Returns whether the slot becomes free without an action of its guest.
    boolean isLeaving() {
        return phase == Phase.LEAVING || phase == Phase.SCRUBBING || phase == Phase.RETURNING;
    }

    /// Returns whether the poller has dropped the guest.
    boolean isDropped() {
        return connection != null && connection.guest().isDropped();
    }

    /// Returns the reason why the slot accepts no more guests; null while it works.
    String broken() {
        return broken;
    }

    /// Returns whether VRAM belongs to the guest, and may have to be zeroed.
    boolean holdsVram() {
        return phase != Phase.FREE && phase != Phase.RETURNING;
    }

    /// Admits a guest to the free slot.
    ///
    /// @param memory memory of the area; owned by the caller, who closes it after the guest's
    ///   departure, or after a failure unless the slot is then broken
    /// @param wakeGuest wakes the guest; called on the poller's thread
    /// @throws GpuDeviceException if the GPU lacks resources for the guest
    /// @throws UnsettledException if the GPU may still access the guest's memory; the slot is then
    ///   broken
    /// @throws LinuxException if Linux provides no descriptor or mapping for the guest
    void open(AreaMemory memory, HostWake wakeHost, Runnable wakeGuest) {
        if (port == null) {
            port = place.ports().get();
        }
        PvSeat seat = PvSeat.of(place, number, port);
        try {
            connection = slots.connect(seat, memory, wakeHost, wakeGuest);
        } catch (UnsettledException e) {
            fail(e);
            throw e;
        }
        phase = Phase.SERVED;
        poller.adopt(connection.guest());
        slots.onConnected(memory);
    }

    /// Disconnects the guest, if one is connected; [#doWork()] completes the departure.
    void leave() {
        if (isServed()) {
            phase = Phase.LEAVING;
            poller.drop(connection.guest());
        }
    }

    /// Continues the departure of a guest, with bounded work, and waits for the GPU's owner.
    ///
    /// @return amount of work done
    int doWork() {
        return switch (phase) {
            case FREE, SERVED, BROKEN -> 0;
            case LEAVING -> isDropped() ? attempt(this::takeOffGpu) : 0;
            case SCRUBBING -> attempt(this::scrub);
            case RETURNING -> connection.guest().isReleased() ? end() : 0;
        };
    }

    private void takeOffGpu() {
        connection.takeOffGpu();
        phase = Phase.SCRUBBING;
    }

    /// Zeroes the guest's VRAM, or the whole share if no other guest has any: memory that guests
    /// have freed earlier is then zeroed, too.
    private void scrub() {
        if (slots.isVramHeldBeside(this) && !connection.guest().scrub()) {
            return;
        }
        if (!slots.isVramHeldBeside(this)) {
            place.scrubAll();
        }
        phase = Phase.RETURNING;
        poller.release(connection.guest());
    }

    private int end() {
        connection = null;
        phase = Phase.FREE;
        slots.onEnded();
        slots.onDisconnected();
        return 1;
    }

    /// @return amount of work done
    private int attempt(Runnable step) {
        try {
            step.run();
        } catch (GpuDeviceException e) {
            slots.onEnded();
            fail(e);
        }
        return 1;
    }

    private void fail(GpuDeviceException reason) {
        broken = reason.getMessage();
        phase = Phase.BROKEN;
        connection = null;
        slots.onBroken(number, broken);
    }
}

package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.logging.LogLimit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Slot for the guest of a place, one at a time, over a socket or a function: counts and logs the
/// connection, the refusal and the departure of guests.
///
/// ```text
///  free --- open ---> served --- leave, or dropped by the poller ---> leaving --- release ---> free
/// ```
///
/// Confined to the reception's thread.
final class GuestSlot {
    private static final Logger LOG = LoggerFactory.getLogger(GuestSlot.class);

    /// Maximum number of log lines about the connections to one place, in a burst.
    private static final int MOST_LINES = 100;

    private final PvPlace place;
    private final PvPoller poller;
    private final Runnable wake;
    private final LongSupplier clockNs;

    /// Limits the log lines, since guests may connect any number of times; counters include all.
    private final LogLimit lines;

    /// Connected guest; null if no guest is connected.
    private ConnectedGuest connection;

    private boolean leaving;

    /// True if the slot admits no more guests because the backend is shutting down.
    private boolean dismissed;

    /// Reason why the slot no longer accepts guests; null while it works.
    private String broken;

    /// @param wake makes the reception check again; any thread
    /// @param clockNs monotonic clock, in nanoseconds
    GuestSlot(PvPlace place, PvPoller poller, Runnable wake, LongSupplier clockNs) {
        this.place = place;
        this.poller = poller;
        this.wake = wake;
        this.clockNs = clockNs;
        lines = LogLimit.perMinute(MOST_LINES, clockNs);
    }

    /// Returns whether the slot has no guest.
    boolean isFree() {
        return connection == null;
    }

    /// Returns whether the guest has been asked to leave, or has left.
    boolean isLeaving() {
        return leaving;
    }

    /// Returns whether the slot has a guest that is not leaving.
    boolean isServed() {
        return connection != null && !leaving;
    }

    /// Returns whether the poller has dropped the guest.
    boolean isDropped() {
        return connection != null && connection.guest().isDropped();
    }

    /// Returns the reason for refusing a guest now; null if the slot can admit a guest.
    String refusal() {
        if (connection != null) {
            return "guests=2, limit=1: %s is in use".formatted(place.name());
        }
        return dismissed ? "the backend is shutting down" : broken;
    }

    /// Admits a guest to the free slot.
    ///
    /// @param memory memory of the area; owned by the caller, who closes it after the guest's
    ///   release
    /// @param wakeGuest wakes the guest; called on the poller's thread
    /// @throws GpuDeviceException if the GPU lacks resources for the guest
    /// @throws LinuxException if Linux provides no descriptor or mapping for the guest
    void open(AreaMemory memory, HostWake wakeHost, Runnable wakeGuest) {
        connection = ConnectedGuest.open(place, memory, wakeHost, wakeGuest, wake, clockNs);
        place.counters().increment(PvCounter.CONNECTIONS);
        poller.adopt(connection.guest());
        if (lines.spend()) {
            LOG.info(
                    "{}: guest connected, shared area of {} bytes",
                    place.name(),
                    memory.layout().bytes());
        }
    }

    /// Counts a refused guest.
    void onRefused() {
        place.counters().increment(PvCounter.REFUSED_CLIENTS);
    }

    /// Logs an internal reason why a guest cannot be served.
    void onFailed(RuntimeException reason) {
        if (lines.spend()) {
            LOG.warn("{}: guest cannot be served: {}", place.name(), reason.getMessage());
        }
    }

    /// Disconnects the guest, if one is connected; [#isDropped()] reports completion.
    void leave() {
        if (isServed()) {
            leaving = true;
            poller.drop(connection.guest());
        }
    }

    /// Disconnects the guest, if one is connected, and refuses all later guests.
    void dismiss() {
        dismissed = true;
        leave();
    }

    /// Records that the poller has dropped the guest on its own initiative.
    void onDropped() {
        leaving = true;
    }

    /// Releases the resources of a dropped guest. If the GPU does not release them, the slot
    /// accepts no more guests.
    ///
    /// @return whether the slot accepts other guests
    boolean release() {
        try {
            connection.close();
            if (lines.spend()) {
                LOG.info("{}: guest disconnected", place.name());
            }
        } catch (GpuDeviceException e) {
            broken = e.getMessage();
            LOG.error("{}: the place accepts no more guests: {}", place.name(), broken);
        }
        connection = null;
        leaving = false;
        return broken == null;
    }
}

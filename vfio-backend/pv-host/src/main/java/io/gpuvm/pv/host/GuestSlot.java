package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.logging.LogLimit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The guest of a place, of which there is one at a time, whichever way it comes: counted and
/// logged when it comes, when it cannot, and when it has left.
///
/// ```text
///  free --- open ---> served --- leave, or dropped by the poller ---> leaving --- release ---> free
/// ```
///
/// Confined to the reception's thread.
final class GuestSlot {
    private static final Logger LOG = LoggerFactory.getLogger(GuestSlot.class);

    /// Lines that those who come and go may cause at one place at once.
    private static final int MOST_LINES = 100;

    private final PvPlace place;
    private final PvPoller poller;
    private final Runnable wake;
    private final LongSupplier clockNs;

    /// Guests may come and go any number of times; counters tell the rest.
    private final LogLimit lines;

    /// Null if there is no guest.
    private ConnectedGuest connection;

    private boolean leaving;

    /// Whether all guests have to leave.
    private boolean dismissed;

    /// Why nobody is served here any more; null while all is well.
    private String broken;

    /// @param wake makes the reception look again; any thread
    /// @param clockNs never runs backwards
    GuestSlot(PvPlace place, PvPoller poller, Runnable wake, LongSupplier clockNs) {
        this.place = place;
        this.poller = poller;
        this.wake = wake;
        this.clockNs = clockNs;
        lines = LogLimit.perMinute(MOST_LINES, clockNs);
    }

    /// Whether no guest is here.
    boolean isFree() {
        return connection == null;
    }

    /// Whether a guest is here that has been told to go, or has gone.
    boolean isLeaving() {
        return leaving;
    }

    /// Whether a guest is here and is to stay.
    boolean isServed() {
        return connection != null && !leaving;
    }

    /// Whether the poller has let go of the guest that is here.
    boolean isDropped() {
        return connection != null && connection.guest().isDropped();
    }

    /// Reason for refusing a guest now; null if the slot is free for one.
    String refusal() {
        if (connection != null) {
            return "guests=2, limit=1: %s has one".formatted(place.name());
        }
        return dismissed ? "the backend is ending" : broken;
    }

    /// Lets a guest in. The place is free.
    ///
    /// @param memory stays the caller's, who closes it when the guest has been released
    /// @param wakeGuest wakes the guest; the poller's thread
    /// @throws GpuDeviceException if the GPU has no room for it
    /// @throws LinuxException if the kernel refuses
    void open(AreaMemory memory, HostWake wakeHost, Runnable wakeGuest) {
        connection = ConnectedGuest.open(place, memory, wakeHost, wakeGuest, wake, clockNs);
        place.counters().increment(PvCounter.CONNECTIONS);
        poller.adopt(connection.guest());
        if (lines.spend()) {
            LOG.info(
                    "{}: a guest has connected, shared area of {} bytes",
                    place.name(),
                    memory.layout().bytes());
        }
    }

    /// Counts a guest that was not let in.
    void onRefused() {
        place.counters().increment(PvCounter.REFUSED_CLIENTS);
    }

    /// Logs that a guest could not be let in for a reason of ours.
    void onFailed(RuntimeException reason) {
        if (lines.spend()) {
            LOG.warn("{}: a guest cannot be served: {}", place.name(), reason.getMessage());
        }
    }

    /// Has the guest go, if there is one; it has when it [#isDropped()].
    void leave() {
        if (isServed()) {
            leaving = true;
            poller.drop(connection.guest());
        }
    }

    /// Has the guest go, if there is one, and lets no other in.
    void dismiss() {
        dismissed = true;
        leave();
    }

    /// The poller has dropped the guest by itself.
    void onDropped() {
        leaving = true;
    }

    /// Takes away what a guest had that was dropped. If the GPU does not let go of that, nobody is
    /// served here any more.
    ///
    /// @return whether others can come
    boolean release() {
        try {
            connection.close();
            if (lines.spend()) {
                LOG.info("{}: its guest has left", place.name());
            }
        } catch (GpuDeviceException e) {
            broken = e.getMessage();
            LOG.error("{}: nobody is served here any more: {}", place.name(), broken);
        }
        connection = null;
        leaving = false;
        return broken == null;
    }
}

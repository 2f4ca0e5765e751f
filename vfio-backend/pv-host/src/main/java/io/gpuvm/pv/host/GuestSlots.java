package io.gpuvm.pv.host;

import io.gpuvm.logging.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Slots for the guests of a place, one for each session: counts and logs the connection, the
/// refusal and the departure of guests. Confined to the reception's thread.
final class GuestSlots {
    private static final Logger LOG = LoggerFactory.getLogger(GuestSlots.class);

    /// Maximum number of log lines about the connections to one place, in a burst.
    private static final int MOST_LINES = 100;

    private final PvPlace place;
    private final Runnable wake;
    private final Runnable wakePoller;
    private final LongSupplier clockNs;
    private final List<GuestSlot> slots = new ArrayList<>();

    /// Limits the log lines, since guests may connect any number of times; counters include all.
    private final LogLimit lines;

    /// Reason why no more guests are admitted; null while guests are admitted.
    private String dismissal;

    /// @param wake makes the reception check again; any thread
    /// @param clockNs monotonic clock, in nanoseconds
    GuestSlots(PvPlace place, PvPoller poller, Runnable wake, LongSupplier clockNs) {
        this.place = place;
        this.wake = wake;
        wakePoller = poller::wake;
        this.clockNs = clockNs;
        lines = LogLimit.perMinute(MOST_LINES, clockNs);
        for (int number = 0; number < place.quotas().sessions(); number++) {
            slots.add(new GuestSlot(number, this, place, poller));
        }
    }

    /// Returns the slot of a session.
    GuestSlot get(int session) {
        return slots.get(session);
    }

    /// Returns whether no slot has a guest.
    boolean areFree() {
        return slots.stream().allMatch(slot -> slot.isFree() || slot.broken() != null);
    }

    /// Returns the number of the first free session; -1 if none is free.
    int free() {
        for (int session = 0; session < slots.size(); session++) {
            if (slots.get(session).isFree()) {
                return session;
            }
        }
        return -1;
    }

    /// Returns whether a guest is leaving. A new guest waits until it has left, in order to find
    /// its resources.
    boolean isAnyLeaving() {
        for (int session = 0; session < slots.size(); session++) {
            if (slots.get(session).isLeaving()) {
                return true;
            }
        }
        return false;
    }

    /// Returns the reason for refusing a guest of any session now; null if a session is free.
    String refusal() {
        if (dismissal != null) {
            return dismissal;
        }
        if (free() >= 0) {
            return null;
        }
        String broken = slots.getFirst().broken();
        boolean allBroken = slots.stream().allMatch(slot -> slot.broken() != null);
        return allBroken
                ? broken
                : "sessions=%d, limit=%d: %s is in use"
                        .formatted(slots.size() + 1, slots.size(), place.name());
    }

    /// Returns the reason for refusing a guest of the given session, which has no guest; null if
    /// the guest can be admitted.
    String refusalOf(int session) {
        return dismissal == null ? slots.get(session).broken() : dismissal;
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

    /// Logs that a client is refused because of its user and group.
    void onForeign(String reason) {
        if (lines.spend()) {
            LOG.warn("{}: client refused: {}", place.name(), reason);
        }
    }

    /// Returns the reason why a slot accepts no more guests; null if all slots work.
    String broken() {
        for (GuestSlot slot : slots) {
            if (slot.broken() != null) {
                return slot.broken();
            }
        }
        return null;
    }

    /// Disconnects all guests, and refuses all later guests.
    ///
    /// @param reason reason for the refusals
    void dismiss(String reason) {
        dismissal = reason;
        slots.forEach(GuestSlot::leave);
    }

    /// Creates the connection of a slot's guest.
    ConnectedGuest connect(PvSeat seat, AreaMemory memory, HostWake wakeHost, Runnable wakeGuest) {
        GuestWakes wakes = new GuestWakes(wakeHost, wakeGuest, wakePoller, wake);
        return ConnectedGuest.open(place, seat, memory, wakes, clockNs);
    }

    /// Returns whether another slot's guest holds VRAM.
    boolean isVramHeldBeside(GuestSlot one) {
        return slots.stream().anyMatch(slot -> slot != one && slot.holdsVram());
    }

    /// Counts and logs a connected guest.
    void onConnected(AreaMemory memory) {
        place.counters().increment(PvCounter.CONNECTIONS);
        place.counters().increment(PvCounter.SESSIONS);
        if (lines.spend()) {
            LOG.info(
                    "{}: guest connected, shared area of {} bytes",
                    place.name(),
                    memory.layout().bytes());
        }
    }

    /// Counts the end of a connected guest's session.
    void onEnded() {
        place.counters().add(PvCounter.SESSIONS, -1);
    }

    /// Logs the end of a guest's departure.
    void onDisconnected() {
        if (lines.spend()) {
            LOG.info("{}: guest disconnected", place.name());
        }
    }

    /// Logs that a slot accepts no more guests.
    void onBroken(int session, String reason) {
        LOG.error("{}: session {} accepts no more guests: {}", place.name(), session, reason);
    }
}

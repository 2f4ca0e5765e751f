package io.gpuvm.pv.host;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.logging.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Poller that serves all paravirtual guests: the places in rotation, with bounded work in each
/// place's turn, and the guests of a place in rotation within its turns.
///
/// An agent that starts no thread: it runs on its own thread, which sleeps at [#parking()], or on a
/// thread that also runs other agents. Confined to that thread, except for methods marked
/// otherwise.
public final class PvPoller implements ParkingAgent, AutoCloseable {
    /// Maximum number of places; a GPU has bus addresses for fewer.
    static final int MOST_PLACES = 31;

    /// Maximum number of concurrent guests.
    private static final int MOST_GUESTS = MOST_PLACES * PvQuotas.MOST_SESSIONS;

    /// Maximum number of log lines about violations of the protocol, in a burst.
    private static final int MOST_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(PvPoller.class);

    /// Longest sleep while a guest waits for an event that no signal announces.
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventWait events = new EventWait(MOST_GUESTS);
    private final Parking parking;

    /// Guests by slot; null if the slot is free.
    private final PvGuest[] guests = new PvGuest[MOST_GUESTS];

    /// Number of slots up to the last that was ever used.
    private int slots;

    /// Places with guests.
    private final List<PlaceTurns> served = new ArrayList<>();

    /// Dropped guests whose resources are being returned to their places, in the order of their
    /// departures.
    private final List<PvGuest> departing = new ArrayList<>();

    /// Number of rounds of turns, including the current one.
    private long round;

    /// Shows the number of rounds to other threads; null if it is not shown.
    private CounterCells loops;

    /// Guests to be added, removed or released. A guest that is removed before it has been added
    /// occurs twice.
    private final Queue<PvGuest> changes = new ConcurrentLinkedQueue<>();

    private final LogLimit lostLines = LogLimit.once();
    private final LogLimit violationLines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// True if this thread has announced to the guests that it is about to sleep.
    private boolean announced;

    /// Creates a poller without guests, for a thread of its own.
    public PvPoller() {
        parking = new Parking(events);
    }

    /// Creates a poller without guests, for a thread that sleeps at another parking place and also
    /// waits there for [#descriptor()].
    ///
    /// @param shared parking place of that thread
    public PvPoller(Parking shared) {
        parking = shared;
    }

    /// Shows the number of rounds in a counter. Called before the first round.
    public void showRounds(CounterCells counter) {
        loops = counter;
    }

    /// Returns the parking place of the poller's thread.
    public Parking parking() {
        return parking;
    }

    /// Starts to serve a guest. Any thread; the caller's earlier writes to the guest are visible.
    public void adopt(PvGuest guest) {
        changes.add(guest);
        wake();
    }

    /// Stops serving a guest; [PvGuest#isDropped()] reports completion. Any thread.
    public void drop(PvGuest guest) {
        guest.requestDrop();
        changes.add(guest);
        wake();
    }

    /// Returns the resources of a dropped guest, which the GPU no longer uses, to its place;
    /// [PvGuest#isReleased()] reports completion. Any thread; the caller's earlier writes to the
    /// guest are visible.
    void release(PvGuest guest) {
        guest.requestRelease();
        changes.add(guest);
        wake();
    }

    /// Makes the poller check all guests again. Any thread. Makes a system call only if the poller
    /// sleeps.
    public void wake() {
        parking.wake();
    }

    /// Returns whether a guest is served. Poller's thread only.
    public boolean hasGuests() {
        return !served.isEmpty();
    }

    /// Runs one round of turns.
    ///
    /// @return amount of work done
    @Override
    public int doWork() {
        int work = 0;
        round++;
        if (loops != null) {
            loops.set(round);
        }
        if (!changes.isEmpty()) {
            work += exchange();
        }
        work += releaseSome();
        for (int i = served.size() - 1; i >= 0; i--) {
            PlaceTurns place = served.get(i);
            work += place.turn();
            if (place.failed() != null) {
                fail(place.failed(), place.error());
            }
        }
        return work;
    }

    /// Announces to all guests that the poller is about to sleep, then checks for work.
    @Override
    public boolean mayPark() {
        announced = true;
        for (int i = 0; i < slots; i++) {
            if (guests[i] != null) {
                guests[i].announceSleep();
            }
        }
        return doWork() == 0;
    }

    @Override
    public long nanosUntilWork() {
        for (int i = 0; i < slots; i++) {
            if (guests[i] != null && guests[i].isWaiting()) {
                return NAP_NS;
            }
        }
        return Long.MAX_VALUE;
    }

    /// Polls the guests' signals. A thread with another parking place calls this method before
    /// [#onAwake].
    public void look() {
        events.await(0);
    }

    /// Withdraws the announcement of [#mayPark()], and clears the guests' signals.
    @Override
    public void onAwake(boolean slept) {
        announced = false;
        for (int i = 0; i < slots; i++) {
            if (guests[i] != null) {
                guests[i].withdrawSleep();
            }
        }
        for (int i = 0; slept && i < slots; i++) {
            if (guests[i] != null && events.ready(i) && !guests[i].drainWakeLine()) {
                drop(guests[i]);
            }
        }
    }

    @Override
    public String roleName() {
        return "gpuvm-pv";
    }

    /// Returns a descriptor that is readable when a guest has signalled, for a thread that also
    /// waits on other descriptors.
    public int descriptor() {
        return events.descriptor();
    }

    /// Closes the poller. No other method may be called afterwards.
    @Override
    public void close() {
        events.close();
    }

    private int exchange() {
        int moved = 0;
        for (PvGuest guest = changes.poll(); guest != null; guest = changes.poll()) {
            if (guest.isToBeReleased()) {
                depart(guest);
            } else if (guest.isToBeDropped()) {
                remove(guest);
            } else {
                add(guest);
            }
            moved++;
        }
        return moved;
    }

    /// Begins to release a guest, unless an earlier change of the guest has begun it.
    private void depart(PvGuest guest) {
        if (!guest.isReleased() && !departing.contains(guest)) {
            departing.add(guest);
        }
    }

    private void add(PvGuest guest) {
        int slot = 0;
        while (guests[slot] != null) {
            slot++;
        }
        guests[slot] = guest;
        slots = Math.max(slots, slot + 1);
        turnsOf(guest.place()).add(guest);
        try {
            events.set(slot, guest.wakeDescriptor());
        } catch (LinuxException e) {
            // Linux refuses to watch additional descriptors (epoll_ctl(2), ENOSPC and ENOMEM).
            fail(guest, e);
            return;
        }
        if (announced) {
            guest.announceSleep();
        }
    }

    private void remove(PvGuest guest) {
        if (guest.isDropped()) {
            return;
        }
        int slot = 0;
        while (slot < slots && guests[slot] != guest) {
            slot++;
        }
        if (slot < slots) {
            guests[slot] = null;
            events.set(slot, Poller.NONE);
            PlaceTurns turns = turnsOf(guest.place());
            turns.remove(guest);
            if (turns.guests().isEmpty()) {
                served.remove(turns);
            }
        }
        end(guest);
    }

    /// Stops serving a guest. An internal error meanwhile does not affect other guests.
    private void end(PvGuest guest) {
        try {
            guest.drop();
        } catch (RuntimeException | Error e) {
            if (lostLines.spend()) {
                LOG.error("{}: internal error at the end of a guest", guest.place().name(), e);
            }
        }
    }

    /// Returns the turns of a place, which begin with the place's first guest.
    private PlaceTurns turnsOf(PvPlace place) {
        for (PlaceTurns turns : served) {
            if (turns.place() == place) {
                return turns;
            }
        }
        PlaceTurns turns = new PlaceTurns(place);
        served.add(turns);
        return turns;
    }

    /// Returns some resources of one departing guest of each place.
    ///
    /// @return number of guests
    private int releaseSome() {
        int work = 0;
        int i = 0;
        while (i < departing.size()) {
            boolean isTurn = departing.get(i).place().use().mayRelease(round);
            work += isTurn ? 1 : 0;
            i += isTurn && release(i) ? 0 : 1;
        }
        return work;
    }

    /// Returns some resources of a departing guest to its place. After an internal error, the rest
    /// of them is lost to the place.
    ///
    /// @return whether the guest has departed
    private boolean release(int index) {
        PvGuest guest = departing.get(index);
        boolean complete;
        try {
            complete = guest.release();
        } catch (RuntimeException | Error e) {
            if (lostLines.spend()) {
                LOG.error("{}: internal error, resources lost", guest.place().name(), e);
            }
            complete = true;
        }
        guest.place().showUse();
        if (complete) {
            departing.remove(index);
            guest.markReleased();
        }
        return complete;
    }

    /// Drops a guest after an error in its turn; other guests continue. Only the first internal
    /// error at each place is logged, since a guest can provoke an error repeatedly.
    private void fail(PvGuest guest, Throwable error) {
        if (error instanceof SessionViolationException) {
            guest.place().counters().increment(PvCounter.VIOLATIONS);
            if (violationLines.spend()) {
                LOG.warn("{}: guest dropped: {}", guest.place().name(), error.getMessage());
            }
            remove(guest);
            return;
        }
        boolean first = guest.place().counters().get(PvCounter.DROPPED) == 0;
        guest.place().counters().increment(PvCounter.DROPPED);
        if (first) {
            LOG.error(
                    "{}: internal error, guest dropped; other guests continue",
                    guest.place().name(),
                    error);
        }
        remove(guest);
    }
}

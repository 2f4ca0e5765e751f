package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Poller that serves all paravirtual guests in rotation, with bounded work in each guest's turn.
///
/// An agent that starts no thread: it runs on its own thread, which sleeps at [#parking()], or on a
/// thread that also runs other agents. Confined to that thread, except for methods marked
/// otherwise.
public final class PvPoller implements ParkingAgent, AutoCloseable {
    /// Maximum number of concurrent guests.
    public static final int MOST_GUESTS = 62;

    private static final Logger LOG = LoggerFactory.getLogger(PvPoller.class);

    /// Longest sleep while a guest waits for an event that no signal announces.
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventWait events = new EventWait(MOST_GUESTS);
    private final Parking parking;

    /// Guests by slot; null if the slot is free.
    private final PvGuest[] guests = new PvGuest[MOST_GUESTS];

    private final List<PvGuest> served = new ArrayList<>();

    /// Guests to be added or removed. A guest that is removed before it has been added occurs
    /// twice.
    private final Queue<PvGuest> changes = new ConcurrentLinkedQueue<>();

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
        if (!changes.isEmpty()) {
            work += exchange();
        }
        for (int i = served.size() - 1; i >= 0; i--) {
            PvGuest guest = served.get(i);
            try {
                work += guest.turn();
            } catch (RuntimeException | Error e) {
                fail(guest, e);
                work++;
            }
        }
        return work;
    }

    /// Announces to all guests that the poller is about to sleep, then checks for work.
    @Override
    public boolean mayPark() {
        announced = true;
        for (int i = 0; i < served.size(); i++) {
            served.get(i).announceSleep();
        }
        return doWork() == 0;
    }

    @Override
    public long nanosUntilWork() {
        for (int i = 0; i < served.size(); i++) {
            if (served.get(i).isWaiting()) {
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
        for (int i = 0; i < served.size(); i++) {
            served.get(i).withdrawSleep();
        }
        for (int i = 0; slept && i < guests.length; i++) {
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
            if (guest.isToBeDropped()) {
                remove(guest);
            } else {
                add(guest);
            }
            moved++;
        }
        return moved;
    }

    private void add(PvGuest guest) {
        int slot = 0;
        while (guests[slot] != null) {
            slot++;
        }
        guests[slot] = guest;
        served.add(guest);
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
        if (served.remove(guest)) {
            int slot = 0;
            while (guests[slot] != guest) {
                slot++;
            }
            guests[slot] = null;
            events.set(slot, Poller.NONE);
        }
        guest.markDropped();
    }

    /// Drops a guest after an internal error in its turn; other guests continue. Only the first
    /// error at each place is logged, since a guest can provoke an error repeatedly.
    private void fail(PvGuest guest, Throwable error) {
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

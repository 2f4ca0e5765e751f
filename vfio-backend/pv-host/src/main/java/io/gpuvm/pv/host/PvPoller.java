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

/// Serves all paravirtual guests in turns: each gets a turn of bounded work, then the next one.
///
/// Starts no thread: an agent for one of its own, which sleeps at [#parking()], or for one that has
/// more to do. The methods that say so are for any thread.
public final class PvPoller implements ParkingAgent, AutoCloseable {
    /// The most guests at a time.
    public static final int MOST_GUESTS = 62;

    private static final Logger LOG = LoggerFactory.getLogger(PvPoller.class);

    /// How long it sleeps at most while a guest waits for something of which nobody tells.
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventWait events = new EventWait(MOST_GUESTS);
    private final Parking parking;

    /// By their slots; null where none is.
    private final PvGuest[] guests = new PvGuest[MOST_GUESTS];

    private final List<PvGuest> served = new ArrayList<>();

    /// Guests that come, and guests that go. One that has to go before it was served comes up
    /// twice.
    private final Queue<PvGuest> changes = new ConcurrentLinkedQueue<>();

    /// Whether guests are told that this thread sleeps.
    private boolean announced;

    /// One without guests, for a thread of its own.
    public PvPoller() {
        parking = new Parking(events);
    }

    /// One without guests, for a thread that sleeps elsewhere, and waits there for [#descriptor()],
    /// too.
    ///
    /// @param shared where that thread sleeps
    public PvPoller(Parking shared) {
        parking = shared;
    }

    /// Where the poller's thread sleeps.
    public Parking parking() {
        return parking;
    }

    /// Has a guest served from now on. Any thread; what it did to the guest before is visible.
    public void adopt(PvGuest guest) {
        changes.add(guest);
        wake();
    }

    /// Has a guest served no more; [PvGuest#isDropped()] says when. Any thread.
    public void drop(PvGuest guest) {
        guest.requestDrop();
        changes.add(guest);
        wake();
    }

    /// Makes the poller look at everything again. Any thread; a system call only if it sleeps.
    public void wake() {
        parking.wake();
    }

    /// Whether a guest is served. The poller's thread.
    public boolean hasGuests() {
        return !served.isEmpty();
    }

    /// One round.
    ///
    /// @return how much was done
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

    /// Says to all guests that the poller is about to sleep, and looks once more.
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

    /// Finds out which guests have signalled, where the thread sleeps elsewhere. Before [#onAwake].
    public void look() {
        events.await(0);
    }

    /// Ends what [#mayPark()] began.
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

    /// Readable when a guest has signalled, for a thread that waits for more than this.
    public int descriptor() {
        return events.descriptor();
    }

    /// After the last call of anything else.
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
            // The kernel watches no more descriptors (epoll_ctl(2), ENOSPC and ENOMEM).
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

    /// An error of ours costs the guest at which it showed, and nobody else. The first one at each
    /// place is logged: whoever can provoke one can do so again.
    private void fail(PvGuest guest, Throwable error) {
        boolean first = guest.place().counters().get(PvCounter.DROPPED) == 0;
        guest.place().counters().increment(PvCounter.DROPPED);
        if (first) {
            LOG.error(
                    "{}: internal error, its guest is dropped; others go on",
                    guest.place().name(),
                    error);
        }
        remove(guest);
    }
}

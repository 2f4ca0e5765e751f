package io.gpuvm.pv.host;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves all paravirtual guests in turns: each gets a slice of bounded work, then the next one.
///
/// Starts no thread. One thread calls [#doWork()], and when there is nothing to do
/// [#prepareToPark()], [#park] or [#look()], and [#onAwake()]; the methods that say so are for any
/// thread.
public final class PvPoller implements AutoCloseable {
    /// The most guests at a time.
    public static final int MOST_GUESTS = 62;

    private static final Logger LOG = LoggerFactory.getLogger(PvPoller.class);
    private static final int WAKE = 0;
    private static final int FIRST_GUEST = 1;

    /// How long it sleeps at most while a guest waits for something of which nobody tells.
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventFd wakeEvent = EventFd.create();
    private final Poller poller = new Poller(FIRST_GUEST + MOST_GUESTS);

    /// By their slots of the poller; null where none is.
    private final PvGuest[] guests = new PvGuest[MOST_GUESTS];

    private final List<PvGuest> served = new ArrayList<>();

    /// Guests that come, and guests that go. One that has to go before it was served comes up
    /// twice.
    private final Queue<PvGuest> changes = new ConcurrentLinkedQueue<>();

    private volatile boolean parked;

    /// One without guests.
    public PvPoller() {
        poller.set(WAKE, wakeEvent.descriptor());
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
        // Either we see that it sleeps, or it sees what was put in before.
        VarHandle.fullFence();
        if (parked) {
            wakeEvent.signal();
        }
    }

    /// Whether a guest is served.
    public boolean hasGuests() {
        return !served.isEmpty();
    }

    /// One round.
    ///
    /// @return how much was done
    public int doWork() {
        int work = 0;
        if (!changes.isEmpty()) {
            work += exchange();
        }
        for (int i = served.size() - 1; i >= 0; i--) {
            PvGuest guest = served.get(i);
            try {
                work += guest.slice();
            } catch (RuntimeException | Error e) {
                fail(guest, e);
                work++;
            }
        }
        return work;
    }

    /// Says to all guests that the poller is about to sleep, and looks once more. If it does not
    /// sleep after all, [#onAwake()] is to be called as well.
    ///
    /// @return whether it may sleep
    public boolean prepareToPark() {
        parked = true;
        for (int i = 0; i < served.size(); i++) {
            served.get(i).announceSleep();
        }
        VarHandle.fullFence();
        return doWork() == 0;
    }

    /// How long it may sleep; [Long#MAX_VALUE] until somebody wakes it.
    public long nanosUntilWork() {
        for (int i = 0; i < served.size(); i++) {
            if (served.get(i).isWaiting()) {
                return NAP_NS;
            }
        }
        return Long.MAX_VALUE;
    }

    /// Sleeps until a guest or another thread wakes it.
    ///
    /// @param nanos how long at most
    public void park(long nanos) {
        poller.poll(nanos == Long.MAX_VALUE ? Poller.FOREVER : nanos);
    }

    /// Finds out who has signalled, in the place of [#park] where another waits for
    /// [#descriptor()].
    public void look() {
        poller.poll(0);
    }

    /// Ends what [#prepareToPark()] began.
    public void onAwake() {
        parked = false;
        for (int i = 0; i < served.size(); i++) {
            served.get(i).withdrawSleep();
        }
        if (poller.ready(WAKE)) {
            wakeEvent.drain();
        }
        for (int i = 0; i < guests.length; i++) {
            if (guests[i] != null && poller.ready(FIRST_GUEST + i) && !guests[i].drainWakeLine()) {
                drop(guests[i]);
            }
        }
    }

    /// Readable while [#park] would not sleep, for a thread that waits for more than this.
    public int descriptor() {
        return poller.descriptor();
    }

    /// After the last call of anything else.
    @Override
    public void close() {
        poller.close();
        wakeEvent.close();
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
        poller.set(FIRST_GUEST + slot, guest.wakeDescriptor());
        served.add(guest);
        if (parked) {
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
            poller.set(FIRST_GUEST + slot, Poller.NONE);
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

package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import java.util.function.LongSupplier;

/// One guest, from when it is let in until everything that it had is taken back: what is done for
/// it in its turn, how it and the poller wake each other, and its end.
///
/// All that a guest can ask for costs a bounded time in each [#turn]. Confined to the poller,
/// except where a method says otherwise.
public final class PvGuest {
    private final PvPlace place;
    private final HostWake wakeHost;
    private final Runnable onDropped;
    private final Sleeper sleeper;
    private final RingConsumer ring;
    private final GuestState state;
    private final CommandDispatch commands;
    private final GuestNews news;
    private final ChannelEvents events;

    private volatile boolean toBeDropped;

    /// Set by the poller when it serves this guest no more.
    private volatile boolean dropped;

    /// @param area shared with the guest
    /// @param wakeHost the guest signals it when the host sleeps
    /// @param wakeGuest wakes the guest, once it sleeps; called on the poller's thread
    /// @param onDropped told, on the poller's thread, that the poller serves it no more
    /// @param clockNs never runs backwards; asked only while the guest waits for something
    public PvGuest(
            PvPlace place,
            SharedArea area,
            HostWake wakeHost,
            Runnable wakeGuest,
            Runnable onDropped,
            LongSupplier clockNs) {
        this.place = place;
        this.wakeHost = wakeHost;
        this.onDropped = onDropped;
        sleeper = area.hostSleeper();
        ring = area.submissionConsumer();
        state = GuestState.of(place, area, clockNs);
        commands = new CommandDispatch(ring, state, new GuestStatistics(state, place.requests()));
        news = new GuestNews(area, area.guestDoorbell(wakeGuest), place.counters());
        events = new ChannelEvents(state.channels(), state.answers(), place.requests(), news);
    }

    /// Whose guest it is.
    public PvPlace place() {
        return place;
    }

    /// Does what there is to do for this guest, up to a bound.
    ///
    /// @return how much was done
    int turn() {
        int work = place.inbox().poll(events);
        state.memory().reclaim(state.answers());
        work += state.submissions().watch();
        work += state.fences().check(state.answers());
        work += commands.take();
        if (work > 0) {
            handOn();
        }
        return work;
    }

    /// Hands on what a turn has left: flushes first, so that what is submitted finds page tables in
    /// force.
    private void handOn() {
        state.flushes().askAll();
        state.submissions().ring();
        ring.release();
        news.tell(state.answers().takePublished());
        state.counts().publish();
    }

    /// Whether there may be something to do soon of which nobody tells.
    boolean isWaiting() {
        return state.submissions().isAnyWatched() || state.fences().waits() > 0;
    }

    /// Says that the poller is about to sleep: the guest wakes it from now on.
    void announceSleep() {
        sleeper.announce();
    }

    /// Says that the poller is awake.
    void withdrawSleep() {
        sleeper.withdraw();
    }

    /// What the guest signals when the poller has said that it sleeps.
    int wakeDescriptor() {
        return wakeHost.descriptor();
    }

    /// Forgets what the guest signalled.
    ///
    /// @return false if it cannot signal any more, and its end would be readable for ever
    boolean drainWakeLine() {
        return wakeHost.drain();
    }

    /// Says that the poller is to serve this guest no more. Any thread.
    void requestDrop() {
        toBeDropped = true;
    }

    boolean isToBeDropped() {
        return toBeDropped;
    }

    /// Marks that the poller serves this guest no more; what it did for it is visible then.
    void markDropped() {
        dropped = true;
        onDropped.run();
    }

    /// Whether the poller serves this guest no more. Any thread.
    public boolean isDropped() {
        return dropped;
    }

    /// Takes everything that the guest has off the GPU, after the poller has dropped it, and gives
    /// back what it had. Waits for the GPU's owner.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the owner does not answer
    public void close() {
        place.requests().reset();
        state.memory().close(place.requests()::flush);
        state.channels().close();
    }
}

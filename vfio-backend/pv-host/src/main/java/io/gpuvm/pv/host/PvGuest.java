package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import java.util.function.LongSupplier;

/// One guest, from its admission until all its resources are released: its turns, the wake-ups in
/// both directions, and its removal.
///
/// Each [#turn] takes a bounded time, regardless of the guest's requests. Confined to the poller,
/// except methods marked otherwise.
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

    /// True once the poller has stopped serving this guest.
    private volatile boolean dropped;

    /// @param area area shared with the guest
    /// @param wakeHost line that the guest signals when the host sleeps
    /// @param wakeGuest wakes the sleeping guest; called on the poller's thread
    /// @param onDropped called on the poller's thread when the poller stops serving the guest
    /// @param clockNs monotonic clock, in nanoseconds; read only while the guest waits
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

    /// Returns the place of the guest.
    public PvPlace place() {
        return place;
    }

    /// Does the pending work of this guest, up to a bound.
    ///
    /// @return amount of work done
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

    /// Requests flushes, then rings doorbells, so that page-table changes take effect before the
    /// submitted work runs. Then releases the ring and publishes answers and counts.
    private void handOn() {
        state.flushes().askAll();
        state.submissions().ring();
        ring.release();
        news.tell(state.answers().takePublished());
        state.counts().publish();
    }

    /// Returns whether work may become ready without an event that announces it.
    boolean isWaiting() {
        return state.submissions().isAnyWatched() || state.fences().waits() > 0;
    }

    /// Announces that the poller is about to sleep; the guest then signals new work.
    void announceSleep() {
        sleeper.announce();
    }

    /// Announces that the poller is awake.
    void withdrawSleep() {
        sleeper.withdraw();
    }

    /// Returns a descriptor that the guest signals once the poller has announced that it is about
    /// to sleep.
    int wakeDescriptor() {
        return wakeHost.descriptor();
    }

    /// Clears the guest's signals.
    ///
    /// @return false if the guest can send no more signals, in which case its line would stay
    ///   readable
    boolean drainWakeLine() {
        return wakeHost.drain();
    }

    /// Requests that the poller stop serving this guest. Any thread.
    void requestDrop() {
        toBeDropped = true;
    }

    boolean isToBeDropped() {
        return toBeDropped;
    }

    /// Records that the poller has stopped serving this guest, and makes the poller's writes
    /// visible.
    void markDropped() {
        dropped = true;
        onDropped.run();
    }

    /// Returns whether the poller has stopped serving this guest. Any thread.
    public boolean isDropped() {
        return dropped;
    }

    /// Removes the guest's state from the GPU and releases its resources, after the poller has
    /// dropped the guest. Waits for the GPU's owner.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the owner does not answer
    public void close() {
        place.requests().reset();
        state.memory().close(place.requests()::flush);
        state.channels().close();
    }
}

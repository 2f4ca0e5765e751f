package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import java.util.function.LongSupplier;

/// One guest, from its admission until all its resources are released: its turns, the wake-ups in
/// both directions, and its removal.
///
/// ```text
///   poller: turns ---> dropped                          released
///                         |                                 ^
///   reception:            +--> takeOffGpu, then scrub ------+
/// ```
///
/// Each [#turn] takes a bounded time, regardless of the guest's requests. Confined to the poller,
/// except methods marked otherwise.
public final class PvGuest {
    private final PvPlace place;
    private final HostWake wakeHost;
    private final Runnable onChange;
    private final GpuRequests requests;
    private final CompletionInbox inbox;
    private final Sleeper sleeper;
    private final RingConsumer ring;
    private final GuestState state;
    private final CommandDispatch commands;
    private final GuestNews news;
    private final ChannelEvents events;

    private int commandsTaken;

    private volatile boolean toBeDropped;

    /// True once the poller has stopped serving this guest.
    private volatile boolean dropped;

    private volatile boolean toBeReleased;

    /// True once the poller has returned the guest's resources to the place.
    private volatile boolean released;

    /// @param seat session of the guest
    /// @param area area shared with the guest
    /// @param wakeHost line that the guest signals when the host sleeps
    /// @param wakeGuest wakes the sleeping guest; called on the poller's thread
    /// @param onChange called on the poller's thread when the poller has stopped serving the guest,
    ///   and when it has released the guest's resources
    /// @param clockNs monotonic clock, in nanoseconds; read only while the guest waits
    PvGuest(
            PvPlace place,
            PvSeat seat,
            SharedArea area,
            HostWake wakeHost,
            Runnable wakeGuest,
            Runnable onChange,
            LongSupplier clockNs) {
        this.place = place;
        this.wakeHost = wakeHost;
        this.onChange = onChange;
        requests = seat.port().requests();
        inbox = seat.port().inbox();
        sleeper = area.hostSleeper();
        ring = area.submissionConsumer();
        state = GuestState.of(place, seat, area, clockNs);
        commands = new CommandDispatch(ring, state, new GuestStatistics(state, requests));
        news = new GuestNews(area, area.guestDoorbell(wakeGuest), place.counters());
        events = new ChannelEvents(state.channels(), state.answers(), requests, news);
    }

    /// Returns the place of the guest.
    public PvPlace place() {
        return place;
    }

    /// Does the pending work of this guest, up to a bound.
    ///
    /// @param budget budget of the place's turn, which this guest's work reduces
    /// @return amount of work done
    int turn(TurnBudget budget) {
        int work = inbox.poll(events);
        work += state.memory().reclaim(state.answers(), budget);
        work += state.submissions().watch();
        work += state.fences().check(state.answers());
        commandsTaken = commands.take(budget);
        work += commandsTaken;
        if (work > 0) {
            handOn();
        }
        return work;
    }

    /// Returns the number of commands that the last [#turn] has started or continued.
    int commandsTaken() {
        return commandsTaken;
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
        onChange.run();
    }

    /// Returns whether the poller has stopped serving this guest. Any thread.
    public boolean isDropped() {
        return dropped;
    }

    /// Removes the guest's channels and page tables from the GPU, after the poller has dropped the
    /// guest. Waits for the GPU's owner; the flushes of page tables are complete when the owner has
    /// answered the caller's next request. Reception's thread.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the owner does not answer
    void takeOffGpu() {
        requests.reset();
        state.memory().flushAll(requests::flush);
    }

    /// Zeroes some of the guest's VRAM, after [#takeOffGpu()]. Reception's thread.
    ///
    /// @return whether all of it has been zeroed
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not zero it
    boolean scrub() {
        return state.memory().scrub(place.scrub());
    }

    /// Requests that the poller return the guest's resources to the place. Any thread.
    void requestRelease() {
        toBeReleased = true;
    }

    boolean isToBeReleased() {
        return toBeReleased;
    }

    /// Returns some of the guest's resources to the place; takes a bounded time.
    ///
    /// @return whether all have been returned
    boolean release() {
        if (!state.memory().release()) {
            return false;
        }
        state.channels().release();
        state.fences().release();
        return true;
    }

    /// Records that the guest's resources have been returned to the place.
    void markReleased() {
        released = true;
        onChange.run();
    }

    /// Returns whether the guest's resources have been returned to the place. Any thread.
    boolean isReleased() {
        return released;
    }
}

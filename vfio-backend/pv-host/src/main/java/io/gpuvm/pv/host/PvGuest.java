package io.gpuvm.pv.host;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;

/// One guest, from its admission until all its resources are released: its turns, the signals that
/// wake the host, and its removal.
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
    private final Sleeper sleeper;
    private final GuestWork work;

    private volatile boolean toBeDropped;

    /// True once the poller has stopped serving this guest.
    private volatile boolean dropped;

    private volatile boolean toBeReleased;

    /// True once the poller has returned the guest's resources to the place.
    private volatile boolean released;

    /// @param seat session of the guest
    /// @param area area shared with the guest
    /// @param wakeHost line that the guest signals when the host sleeps
    /// @param onChange called on the poller's thread when the poller has stopped serving the guest,
    ///   and when it has released the guest's resources
    /// @param work execution of the guest's requests
    PvGuest(
            PvPlace place,
            PvSeat seat,
            SharedArea area,
            HostWake wakeHost,
            Runnable onChange,
            GuestWork work) {
        this.place = place;
        this.wakeHost = wakeHost;
        this.onChange = onChange;
        this.work = work;
        requests = seat.port().requests();
        sleeper = area.hostSleeper();
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
        return work.turn(budget);
    }

    /// Returns the number of commands that the last [#turn] has started or continued.
    int commandsTaken() {
        return work.taken();
    }

    /// Returns whether work may become ready without an event that announces it.
    boolean isWaiting() {
        return work.isWaiting();
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

    /// Stops serving this guest, and makes the poller's writes visible.
    void drop() {
        try {
            work.end();
        } finally {
            dropped = true;
            onChange.run();
        }
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
        work.resources().memory().flushAll(requests::flush);
    }

    /// Zeroes some of the guest's VRAM, after [#takeOffGpu()]. Reception's thread.
    ///
    /// @return whether all of it has been zeroed
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not zero it
    boolean scrub() {
        return work.resources().memory().scrub(place.scrub());
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
        return work.release();
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

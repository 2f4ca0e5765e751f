package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import java.util.function.LongSupplier;

/// Execution of the requests of a guest that sends commands of the paravirtual protocol. Confined
/// to the poller.
final class CommandWork implements GuestWork {
    private final CompletionInbox inbox;
    private final RingConsumer ring;
    private final GuestState state;
    private final CommandDispatch commands;
    private final GuestNews news;
    private final ChannelEvents events;

    private int taken;

    /// @param seat session of the guest
    /// @param area area shared with the guest
    /// @param wakeGuest wakes the sleeping guest; called on the poller's thread
    /// @param clockNs monotonic clock, in nanoseconds; read only while the guest waits
    CommandWork(
            PvPlace place, PvSeat seat, SharedArea area, Runnable wakeGuest, LongSupplier clockNs) {
        inbox = seat.port().inbox();
        ring = area.submissionConsumer();
        state = GuestState.of(place, seat, area, clockNs);
        commands =
                new CommandDispatch(
                        ring, state, new GuestStatistics(state, seat.port().requests()));
        news = new GuestNews(area, area.guestDoorbell(wakeGuest), place.counters());
        events =
                new ChannelEvents(
                        state.channels(),
                        seat.port().requests(),
                        state.answers()::flushAnswered,
                        news::add);
    }

    @Override
    public int turn(TurnBudget budget) {
        int work = inbox.poll(events);
        work += state.memory().reclaim(state.resources().numbers(), budget);
        work += state.watch().check();
        work += state.fences().check(state.answers());
        taken = commands.take(budget);
        work += taken;
        if (work > 0) {
            handOn();
        }
        return work;
    }

    @Override
    public int taken() {
        return taken;
    }

    /// Requests flushes, then rings doorbells, so that page-table changes take effect before the
    /// submitted work runs. Then releases the ring and publishes answers and counts.
    private void handOn() {
        state.flushes().askAll();
        state.answers().allAsked();
        state.submissions().ring();
        ring.release();
        news.tell(state.answers().takePublished());
        state.counts().publish();
    }

    @Override
    public boolean isWaiting() {
        return state.watch().isAny() || state.fences().waits() > 0;
    }

    @Override
    public void end() {
        // The ring and its commands need no end.
    }

    @Override
    public GuestResources resources() {
        return state.resources();
    }

    @Override
    public boolean release() {
        if (!state.resources().release()) {
            return false;
        }
        state.fences().release();
        return true;
    }
}

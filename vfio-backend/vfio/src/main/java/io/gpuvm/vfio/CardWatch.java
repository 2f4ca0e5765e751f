package io.gpuvm.vfio;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/// A thread that waits for what the kernel has to say of a card beside its interrupts. A thread of
/// its own, because it must be heard also when the card's owner waits for a card that is not there
/// any more.
///
/// Made and closed by one thread.
final class CardWatch implements ParkingAgent, AutoCloseable {
    /// However long the listener takes: descriptors are about to go.
    private static final Duration JOIN_LIMIT = Duration.ofDays(1);

    private final Map<CardLoss, EventFd> notices;

    /// A loss's slot is its ordinal.
    private final EventWait events;

    private final Consumer<CardLoss> listener;
    private final AgentThread thread;
    private boolean woken;

    private CardWatch(
            Map<CardLoss, EventFd> notices, EventWait events, Consumer<CardLoss> listener) {
        this.notices = notices;
        this.events = events;
        this.listener = listener;
        thread =
                new AgentThread(
                                this,
                                new Parking(events),
                                AgentThread.NO_SPIN,
                                CardWatch::onFailure)
                        .daemon();
    }

    /// Starts to wait.
    ///
    /// @param listener told at most once of each kind of loss, on this object's thread
    static CardWatch start(Consumer<CardLoss> listener) {
        Map<CardLoss, EventFd> notices = new EnumMap<>(CardLoss.class);
        EventWait events = null;
        try {
            for (CardLoss loss : CardLoss.values()) {
                notices.put(loss, EventFd.create());
            }
            events = new EventWait(CardLoss.values().length);
            for (Map.Entry<CardLoss, EventFd> notice : notices.entrySet()) {
                events.set(notice.getKey().ordinal(), notice.getValue().descriptor());
            }
            CardWatch watch = new CardWatch(notices, events, listener);
            watch.thread.start();
            return watch;
        } catch (RuntimeException | Error e) {
            if (events != null) {
                events.close();
            }
            notices.values().forEach(EventFd::close);
            throw e;
        }
    }

    /// An eventfd on which a loss is announced.
    int descriptor(CardLoss loss) {
        return notices.get(loss).descriptor();
    }

    /// After nobody announces anything any more, and not by the listener, which is not called after
    /// this.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
        events.close();
        notices.values().forEach(EventFd::close);
    }

    /// Tells of what the last wait has found. The kernel repeats itself; once is enough.
    @Override
    public int doWork() {
        int told = 0;
        for (Map.Entry<CardLoss, EventFd> notice : notices.entrySet()) {
            int slot = notice.getKey().ordinal();
            if (woken && events.ready(slot)) {
                events.set(slot, Poller.NONE);
                listener.accept(notice.getKey());
                told++;
            }
        }
        woken = false;
        return told;
    }

    /// A notice ends a wait by itself.
    @Override
    public boolean mayPark() {
        return true;
    }

    @Override
    public void onAwake(boolean slept) {
        woken = slept;
    }

    @Override
    public String roleName() {
        return "gpuvm-card";
    }

    private static void onFailure(Throwable error) {
        throw new IllegalStateException("the card is not watched any more", error);
    }
}

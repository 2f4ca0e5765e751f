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

/// Thread that waits for the kernel's notifications about a card, other than interrupts. The thread
/// is separate because the notifications must be received even while the owner waits for a card
/// that does not respond.
///
/// Created and closed by the same thread.
final class CardWatch implements ParkingAgent, AutoCloseable {
    /// Time limit for the end of the thread. Long enough for any listener, because the descriptors
    /// are closed afterwards.
    private static final Duration JOIN_LIMIT = Duration.ofDays(1);

    private final Map<CardLoss, EventFd> notices;

    /// Wait for the eventfds of the losses; the slot of a loss is its ordinal.
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

    /// Starts the thread.
    ///
    /// @param listener called on this object's thread, at most once per kind of loss
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

    /// Returns the eventfd on which the kernel announces a loss.
    int descriptor(CardLoss loss) {
        return notices.get(loss).descriptor();
    }

    /// Stops the thread; the listener is not called afterwards. Must not be called by the listener;
    /// the caller must have disconnected all notifications.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
        events.close();
        notices.values().forEach(EventFd::close);
    }

    /// Passes the notifications of the last wait to the listener. The kernel repeats notifications;
    /// the listener receives each kind of notification once.
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

    /// Returns true: a notification ends the wait.
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
        throw new IllegalStateException(
                "gpuvm-card: the kernel's notifications about the card are lost", error);
    }
}

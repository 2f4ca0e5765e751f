package io.gpuvm.vfio;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/// A thread that waits for what the kernel has to say of a card beside its interrupts. A thread of
/// its own, because it must be heard also when the card's owner waits for a card that is not there
/// any more.
///
/// Made and closed by one thread.
final class CardWatch implements AutoCloseable {
    /// The poller's slot behind those of the losses, which are their ordinals.
    private static final int STOP = CardLoss.values().length;

    private static final int SLOTS = STOP + 1;

    private final Map<CardLoss, EventFd> notices;
    private final EventFd stop;
    private final Poller poller;
    private final Consumer<CardLoss> listener;
    private final Thread thread;

    private CardWatch(
            Map<CardLoss, EventFd> notices,
            EventFd stop,
            Poller poller,
            Consumer<CardLoss> listener) {
        this.notices = notices;
        this.stop = stop;
        this.poller = poller;
        this.listener = listener;
        thread = Thread.ofPlatform().daemon().name("gpuvm-card").unstarted(this::run);
    }

    /// Starts to wait.
    ///
    /// @param listener told at most once of each kind of loss, on this object's thread
    static CardWatch start(Consumer<CardLoss> listener) {
        Map<CardLoss, EventFd> notices = new EnumMap<>(CardLoss.class);
        EventFd stop = null;
        try {
            for (CardLoss loss : CardLoss.values()) {
                notices.put(loss, EventFd.create());
            }
            stop = EventFd.create();
            Poller poller = new Poller(SLOTS);
            notices.forEach((loss, event) -> poller.set(loss.ordinal(), event.descriptor()));
            poller.set(STOP, stop.descriptor());
            CardWatch watch = new CardWatch(notices, stop, poller, listener);
            watch.thread.start();
            return watch;
        } catch (RuntimeException | Error e) {
            notices.values().forEach(EventFd::close);
            if (stop != null) {
                stop.close();
            }
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
        stop.signal();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        poller.close();
        notices.values().forEach(EventFd::close);
        stop.close();
    }

    private void run() {
        while (true) {
            poller.poll(Poller.FOREVER);
            if (poller.ready(STOP)) {
                return;
            }
            for (Map.Entry<CardLoss, EventFd> notice : notices.entrySet()) {
                if (poller.ready(notice.getKey().ordinal())) {
                    // The kernel repeats itself; once is enough.
                    poller.set(notice.getKey().ordinal(), Poller.NONE);
                    listener.accept(notice.getKey());
                }
            }
        }
    }
}

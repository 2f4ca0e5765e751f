package io.gpuvm.linux.agent;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.concurrent.atomic.AtomicInteger;

/// A wait for descriptors, and for an eventfd by which other threads end it.
///
/// [#signal()] and [#descriptor()] are for any thread, everything else for one at a time. A signal
/// during or after [#close()] does nothing.
public final class EventWait implements WaitPoint, AutoCloseable {
    private static final int WAKE = 0;
    private static final int FIRST = 1;

    /// Added once, to a number that is never as large.
    private static final int CLOSED = Integer.MIN_VALUE;

    private final Poller poller;
    private final EventFd wake;

    /// Threads that are about to signal, and the close, once it has begun.
    private final AtomicInteger signals = new AtomicInteger();

    /// @param slots how many descriptors there may be, 63 at most
    /// @throws io.gpuvm.linux.LinuxException if the kernel has no descriptor left
    public EventWait(int slots) {
        poller = new Poller(FIRST + slots);
        EventFd created = null;
        try {
            created = EventFd.create();
            poller.set(WAKE, created.descriptor());
        } catch (RuntimeException | Error e) {
            if (created != null) {
                created.close();
            }
            poller.close();
            throw e;
        }
        wake = created;
    }

    /// Waits for a descriptor to become readable, or for its peer to go away, from now on.
    ///
    /// @param descriptor in place of what the slot had so far; or [Poller#NONE], which must be set
    ///   before the descriptor that the slot has is closed
    public void set(int slot, int descriptor) {
        poller.set(FIRST + slot, descriptor);
    }

    /// As [#set(int, int)], but waits for a descriptor to become writable.
    public void setWritable(int slot, int descriptor) {
        poller.setWritable(FIRST + slot, descriptor);
    }

    /// Takes the signals that there were: whoever signalled is seen by a look after this.
    @Override
    public void await(long nanos) {
        poller.poll(nanos == Long.MAX_VALUE ? Poller.FOREVER : nanos);
        if (poller.ready(WAKE)) {
            wake.drain();
        }
    }

    /// Whether the last [#await] found this slot ready, for whatever reason.
    public boolean ready(int slot) {
        return poller.ready(FIRST + slot);
    }

    /// Whether the last [#await] found that the peer of this slot's socket is gone.
    public boolean hungUp(int slot) {
        return poller.hungUp(FIRST + slot);
    }

    @Override
    public void signal() {
        // A wake-up costs the sleeper some microseconds: what this adds does not show.
        if (signals.getAndIncrement() >= 0) {
            wake.signal();
        }
        signals.getAndDecrement();
    }

    /// Readable while [#await] would not wait, for a thread that waits for more than this.
    public int descriptor() {
        return poller.descriptor();
    }

    /// After the last call of anything but [#signal()]: a thread that has read that the sleeper is
    /// parked may get that far at any time later, when the number of the eventfd may be that of
    /// another file.
    @Override
    public void close() {
        if (signals.getAndUpdate(n -> n < 0 ? n : n + CLOSED) >= 0) {
            while (signals.get() != CLOSED) {
                // An eventfd of ours does not block.
                Thread.onSpinWait();
            }
            poller.close();
            wake.close();
        }
    }
}

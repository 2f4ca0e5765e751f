package io.gpuvm.linux.agent;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.concurrent.atomic.AtomicInteger;

/// Wait point for descriptors, and for an eventfd with which other threads end the wait.
///
/// Any thread may call [#signal()] and [#descriptor()]; all other methods are for one thread at a
/// time. A signal during or after [#close()] has no effect.
public final class EventWait implements WaitPoint, AutoCloseable {
    private static final int WAKE = 0;
    private static final int FIRST = 1;

    /// Addend that makes the number of signalling threads negative once the wait is closed.
    private static final int CLOSED = Integer.MIN_VALUE;

    private final Poller poller;
    private final EventFd wake;

    /// Number of threads that are about to signal; [#CLOSED] is added once the wait is closed.
    private final AtomicInteger signals = new AtomicInteger();

    /// @param slots number of descriptors, at most 4095
    /// @throws io.gpuvm.linux.LinuxException if no descriptor is available
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

    /// Makes later waits end when a descriptor becomes readable, or when its peer disconnects.
    ///
    /// @param descriptor descriptor that replaces the slot's previous descriptor; or [Poller#NONE],
    ///   which must be set before the slot's descriptor is closed
    public void set(int slot, int descriptor) {
        poller.set(FIRST + slot, descriptor);
    }

    /// Sets a descriptor like [#set(int, int)], but a wait ends when the descriptor becomes
    /// writable.
    public void setWritable(int slot, int descriptor) {
        poller.setWritable(FIRST + slot, descriptor);
    }

    /// Waits as [WaitPoint#await] does, and consumes the pending signals: a check after this call
    /// finds the work of every thread that has signalled.
    @Override
    public void await(long nanos) {
        poller.poll(nanos == Long.MAX_VALUE ? Poller.FOREVER : nanos);
        if (poller.ready(WAKE)) {
            wake.drain();
        }
    }

    /// Returns whether the last [#await] found this slot ready, for any reason.
    public boolean ready(int slot) {
        return poller.ready(FIRST + slot);
    }

    /// Returns whether the last [#await] found that the peer of this slot's socket has
    /// disconnected.
    public boolean hungUp(int slot) {
        return poller.hungUp(FIRST + slot);
    }

    @Override
    public void signal() {
        // A wake-up costs the sleeper a few microseconds; the increment is negligible.
        if (signals.getAndIncrement() >= 0) {
            wake.signal();
        }
        signals.getAndDecrement();
    }

    /// Returns a descriptor that is readable while [#await] would not wait, for a thread that also
    /// waits on other descriptors.
    public int descriptor() {
        return poller.descriptor();
    }

    /// Releases the descriptors. Afterwards, only [#signal()] may be called, and has no effect: a
    /// thread that found the sleeper parked may signal late, when the eventfd's number may belong
    /// to another file.
    @Override
    public void close() {
        if (signals.getAndUpdate(n -> n < 0 ? n : n + CLOSED) >= 0) {
            while (signals.get() != CLOSED) {
                // The signals end soon, because the eventfd is non-blocking.
                Thread.onSpinWait();
            }
            poller.close();
            wake.close();
        }
    }
}

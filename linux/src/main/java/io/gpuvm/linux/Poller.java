package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Waits for any of a few descriptors (ppoll(2)). One thread at a time; a wait allocates nothing.
public final class Poller implements AutoCloseable {
    /// Wait for as long as it takes.
    public static final long FOREVER = -1;

    /// A slot that is not waited for.
    public static final int NONE = -1;

    private static final short POLLIN = 0x1;
    private static final short POLLOUT = 0x4;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    // struct pollfd of poll(2)
    private static final long FD = 0;
    private static final long EVENTS = 4;
    private static final long REVENTS = 6;
    private static final long POLLFD_BYTES = 8;
    // struct timespec
    private static final long TIMESPEC_BYTES = 16;

    private final Arena arena = Arena.ofShared();
    private final int slots;
    private final MemorySegment descriptors;
    private final MemorySegment timeout;

    /// @param slots how many descriptors there may be
    public Poller(int slots) {
        this.slots = slots;
        descriptors = arena.allocate(slots * POLLFD_BYTES, Long.BYTES);
        timeout = arena.allocate(TIMESPEC_BYTES, Long.BYTES);
        for (int slot = 0; slot < slots; slot++) {
            set(slot, NONE);
        }
    }

    /// Waits for a descriptor to become readable, or for its peer to go away.
    ///
    /// @param descriptor what to wait for, or [#NONE]
    public void set(int slot, int descriptor) {
        set(slot, descriptor, POLLIN);
    }

    /// Waits for a descriptor to become writable, or for its peer to go away.
    public void setWritable(int slot, int descriptor) {
        set(slot, descriptor, POLLOUT);
    }

    /// Waits until a slot is ready or the time is over.
    ///
    /// @param timeoutNs how long at most; 0 only looks, [#FOREVER] has no limit
    /// @return the number of ready slots; may be 0 early when a signal arrives
    public int poll(long timeoutNs) {
        long limit = 0;
        if (timeoutNs >= 0) {
            timeout.set(ValueLayout.JAVA_LONG, 0, timeoutNs / NANOS_PER_SECOND);
            timeout.set(ValueLayout.JAVA_LONG, Long.BYTES, timeoutNs % NANOS_PER_SECOND);
            limit = timeout.address();
        }
        int ready = Native.C.ppoll(descriptors.address(), slots, limit, 0);
        if (ready < 0) {
            if (Native.interrupted()) {
                return 0;
            }
            throw Native.failure("ppoll(" + slots + " slots)");
        }
        return ready;
    }

    /// Whether the last [#poll] found this slot ready, for whatever reason. Only meaningful if that
    /// call returned more than 0.
    public boolean ready(int slot) {
        return descriptors.get(ValueLayout.JAVA_SHORT, slot * POLLFD_BYTES + REVENTS) != 0;
    }

    @Override
    public void close() {
        arena.close();
    }

    private void set(int slot, int descriptor, short events) {
        if (slot < 0 || slot >= slots) {
            throw new IndexOutOfBoundsException("slot=" + slot + ", limit=" + slots);
        }
        long entry = slot * POLLFD_BYTES;
        descriptors.set(ValueLayout.JAVA_INT, entry + FD, descriptor);
        descriptors.set(ValueLayout.JAVA_SHORT, entry + EVENTS, events);
        descriptors.set(ValueLayout.JAVA_SHORT, entry + REVENTS, (short) 0);
    }
}

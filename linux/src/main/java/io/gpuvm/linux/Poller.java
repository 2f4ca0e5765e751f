package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/// Set of descriptors for which a thread waits (epoll(7)). One thread at a time; a wait allocates
/// no memory.
///
/// Uses epoll rather than poll, because the set seldom changes: a wait is half a microsecond
/// shorter, a twentieth of a message's round trip.
public final class Poller implements AutoCloseable {
    /// Timeout value of a wait without a limit.
    public static final long FOREVER = -1;

    /// Value for a slot without a descriptor.
    public static final int NONE = -1;

    /// Maximum number of slots of one poller.
    private static final int MOST_SLOTS = 4096;

    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLL_CTL_MOD = 3;
    private static final int EPOLLIN = 0x1;
    private static final int EPOLLOUT = 0x4;
    private static final int EPOLLHUP = 0x10;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    // struct pollfd of poll(2), followed in the same allocation by struct timespec
    private static final short POLLIN = 0x1;
    private static final long POLL_EVENTS = 4;
    private static final long TIMESPEC = 8;
    private static final long TIMESPEC_NANOS = TIMESPEC + 8;
    private static final long EXACT_BYTES = TIMESPEC + 16;

    // struct epoll_event is packed only on x86-64
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
    private static final long EVENTS = 0;
    private static final long DATA = PACKED ? 4 : 8;
    private static final long EVENT_BYTES = PACKED ? 12 : 16;

    private final Arena arena = Arena.ofShared();
    private final Descriptor epoll;
    private final MemorySegment change;
    private final MemorySegment happened;
    private final MemorySegment exact = arena.allocate(EXACT_BYTES, Long.BYTES);
    private final int[] watched;
    private final int[] interests;

    /// Slots that the last [#poll] found ready.
    private final BitSet ready;

    /// Slots whose peer has disconnected, as the last [#poll] found.
    private final BitSet hungUp;

    /// @param slots number of descriptors, at most 4096
    public Poller(int slots) {
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("slots=" + slots + ", expected 1 to " + MOST_SLOTS);
        }
        int number = Native.C.epoll_create1(EPOLL_CLOEXEC);
        if (number < 0) {
            throw Native.failure("epoll_create1");
        }
        epoll = Descriptor.own(number);
        change = arena.allocate(EVENT_BYTES, Long.BYTES);
        happened = arena.allocate(slots * EVENT_BYTES, Long.BYTES);
        watched = new int[slots];
        Arrays.fill(watched, NONE);
        interests = new int[slots];
        ready = new BitSet(slots);
        hungUp = new BitSet(slots);
        exact.set(ValueLayout.JAVA_INT, 0, number);
        exact.set(ValueLayout.JAVA_SHORT, POLL_EVENTS, POLLIN);
    }

    /// Makes later waits end when a descriptor becomes readable, or when its peer disconnects.
    ///
    /// @param descriptor descriptor that replaces the slot's previous descriptor; or [#NONE], which
    ///   must be set before the slot's descriptor is closed
    public void set(int slot, int descriptor) {
        set(slot, descriptor, EPOLLIN);
    }

    /// Sets a descriptor like [#set(int, int)], but a wait ends when the descriptor becomes
    /// writable.
    public void setWritable(int slot, int descriptor) {
        set(slot, descriptor, EPOLLOUT);
    }

    /// Sets a descriptor like [#set(int, int)], but a wait ends when the descriptor becomes
    /// readable or writable.
    public void setReadableOrWritable(int slot, int descriptor) {
        set(slot, descriptor, EPOLLIN | EPOLLOUT);
    }

    /// Waits until a slot is ready or the timeout expires.
    ///
    /// @param timeoutNs timeout in nanoseconds; 0 only polls, [#FOREVER] has no limit and costs
    ///   least, because it sets no timer. A timeout that is not a whole number of milliseconds
    ///   costs an additional system call
    /// @return number of ready slots; 0 before the timeout if a signal interrupts the wait
    public int poll(long timeoutNs) {
        int timeoutMs = -1;
        if (timeoutNs >= 0) {
            boolean milliseconds = timeoutNs % NANOS_PER_MILLI == 0;
            timeoutMs = milliseconds ? millis(timeoutNs) : sleep(timeoutNs);
        }
        ready.clear();
        hungUp.clear();
        int count =
                Native.C.epoll_wait(epoll.number(), happened.address(), watched.length, timeoutMs);
        if (count < 0) {
            if (Native.interrupted()) {
                return 0;
            }
            throw Native.failure("epoll_wait");
        }
        for (int i = 0; i < count; i++) {
            long event = i * EVENT_BYTES;
            int slot = happened.get(ValueLayout.JAVA_INT_UNALIGNED, event + DATA);
            ready.set(slot);
            if ((happened.get(ValueLayout.JAVA_INT_UNALIGNED, event + EVENTS) & EPOLLHUP) != 0) {
                hungUp.set(slot);
            }
        }
        return count;
    }

    /// Returns whether the last [#poll] found this slot ready, for any reason.
    public boolean ready(int slot) {
        return ready.get(slot);
    }

    /// Returns the first slot, from a given slot on, that the last [#poll] found ready; negative if
    /// there is none.
    public int nextReady(int from) {
        return ready.nextSetBit(from);
    }

    /// Returns whether the last [#poll] found that the peer of this slot's socket has disconnected.
    /// Data from the peer may still be available.
    public boolean hungUp(int slot) {
        return hungUp.get(slot);
    }

    /// Returns a descriptor that is readable while [#poll] would find a ready slot, so that another
    /// poller can wait for the same events.
    public int descriptor() {
        return epoll.number();
    }

    @Override
    public void close() {
        if (epoll.isOpen()) {
            epoll.close();
            arena.close();
        }
    }

    private static int millis(long ns) {
        return (int) Math.min(ns / NANOS_PER_MILLI, Integer.MAX_VALUE);
    }

    /// Waits until a slot is ready or the timeout expires, without consuming events. Uses ppoll,
    /// because C libraries before 2022 do not have epoll_pwait2.
    ///
    /// @return timeout for the subsequent epoll_wait call
    private int sleep(long ns) {
        exact.set(ValueLayout.JAVA_LONG, TIMESPEC, ns / NANOS_PER_SECOND);
        exact.set(ValueLayout.JAVA_LONG, TIMESPEC_NANOS, ns % NANOS_PER_SECOND);
        if (Native.C.ppoll(exact.address(), 1, exact.address() + TIMESPEC, 0) < 0
                && !Native.interrupted()) {
            throw Native.failure("ppoll");
        }
        return 0;
    }

    private void set(int slot, int descriptor, int interest) {
        int before = watched[slot];
        if (before == descriptor && (interests[slot] == interest || descriptor == NONE)) {
            return;
        }
        if (before != NONE && before != descriptor) {
            change(EPOLL_CTL_DEL, before);
        }
        watched[slot] = NONE;
        if (descriptor != NONE) {
            change.set(ValueLayout.JAVA_INT_UNALIGNED, EVENTS, interest);
            change.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA, slot);
            change(before == descriptor ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor);
            watched[slot] = descriptor;
            interests[slot] = interest;
        }
    }

    private void change(int operation, int descriptor) {
        if (Native.C.epoll_ctl(epoll.number(), operation, descriptor, change.address()) != 0) {
            throw Native.failure("epoll_ctl(" + operation + ", " + descriptor + ")");
        }
    }
}

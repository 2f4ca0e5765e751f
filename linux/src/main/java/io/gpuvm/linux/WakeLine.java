package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Wake-up line between this process and an untrusted process: a pair of connected UNIX stream
/// sockets, of which the other process receives the far end. Eight bytes of any value are a signal.
///
/// An [EventFd] is unsuitable, because its holders share the flags: the other process could make it
/// blocking and fill the counter, so that the next signal would block. The two sockets have
/// separate flags. This side never waits, and the size of the socket's buffer limits the pending
/// signals.
public final class WakeLine implements AutoCloseable {
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /// Maximum number of bytes that a call drains.
    private static final long DRAINED_BYTES = 4096;

    /// Address of the bytes that a signal sends; never changed, so that all threads can share them.
    private static final long ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1).address();

    private final Descriptor near;
    private final Descriptor far;
    private final MemorySegment drained = Arena.ofAuto().allocate(DRAINED_BYTES, Long.BYTES);

    private WakeLine(Descriptor near, Descriptor far) {
        this.near = near;
        this.far = far;
    }

    /// Creates a wake-up line. Both ends are non-blocking, unless the other process changes the far
    /// end.
    public static WakeLine create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
            int type = SocketAddress.SOCK_STREAM | SocketAddress.SOCK_CLOEXEC;
            int flags = type | SocketAddress.SOCK_NONBLOCK;
            if (Native.C.socketpair(SocketAddress.AF_UNIX, flags, 0, numbers.address()) != 0) {
                throw Native.failure("socketpair");
            }
            PassedDescriptors.refuse(numbers.getAtIndex(ValueLayout.JAVA_INT, 0));
            return new WakeLine(
                    Descriptor.own(numbers.getAtIndex(ValueLayout.JAVA_INT, 0)),
                    Descriptor.own(numbers.getAtIndex(ValueLayout.JAVA_INT, 1)));
        }
    }

    /// Makes the far end readable. Any thread. If the buffer is full, the signal is dropped,
    /// because other signals are pending.
    public void signal() {
        while (Native.C.send(near.number(), ONE, Long.BYTES, MSG_DONTWAIT | MSG_NOSIGNAL) < 0
                && Native.interrupted()) {
            // Retry.
        }
    }

    /// Consumes signals from the far end. One thread at a time.
    ///
    /// @return false if no more signals can arrive, because the other process has shut down the
    ///   line
    public boolean drain() {
        long got;
        do {
            got = Native.C.read(near.number(), drained.address(), DRAINED_BYTES);
        } while (got < 0 && Native.interrupted());
        return got > 0 || got < 0 && Native.errno() == Errno.EAGAIN.number();
    }

    /// Returns this side's end, readable when the far end has signalled, for a [Poller].
    public int descriptor() {
        return near.number();
    }

    /// Returns the other process's end. The end also stays open in this process, which therefore
    /// cannot detect that the other process has closed it.
    public Descriptor far() {
        return far;
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}

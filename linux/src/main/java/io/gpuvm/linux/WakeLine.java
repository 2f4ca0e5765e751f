package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// How this process and another that it does not trust wake each other: the two ends of a UNIX
/// stream socket, of which the other process gets the far one. Eight bytes of any value are a
/// signal.
///
/// An [EventFd] will not do: whoever has it shares its flags, and could make the counter full and
/// the next signal wait. Of a socket, each end has flags of its own. This side never waits, and the
/// signals that nobody took are limited by what the kernel keeps for a socket.
public final class WakeLine implements AutoCloseable {
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /// So that many signals are drained at once.
    private static final long DRAINED_BYTES = 4096;

    /// What a signal writes. Only ever read, so that all threads share it.
    private static final long ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1).address();

    private final Descriptor near;
    private final Descriptor far;
    private final MemorySegment drained = Arena.ofAuto().allocate(DRAINED_BYTES, Long.BYTES);

    private WakeLine(Descriptor near, Descriptor far) {
        this.near = near;
        this.far = far;
    }

    /// Creates one. Neither end waits, until the other process changes the far one.
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

    /// Makes the far end readable. Any thread. What finds no room is not missed: there are signals
    /// enough.
    public void signal() {
        while (Native.C.send(near.number(), ONE, Long.BYTES, MSG_DONTWAIT | MSG_NOSIGNAL) < 0
                && Native.interrupted()) {
            // Once more.
        }
    }

    /// Takes signals of the far end. One thread at a time.
    ///
    /// @return false if there will be none any more: the other process has shut the line
    public boolean drain() {
        long got;
        do {
            got = Native.C.read(near.number(), drained.address(), DRAINED_BYTES);
        } while (got < 0 && Native.interrupted());
        return got > 0 || got < 0 && Native.errno() == Errno.EAGAIN.number();
    }

    /// This side's end, readable when the far one has signalled, for a [Poller].
    public int descriptor() {
        return near.number();
    }

    /// The other process's end. Stays open here too: that the other process closes it says nothing.
    public Descriptor far() {
        return far;
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}

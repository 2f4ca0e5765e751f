package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/// Non-blocking TCP socket (tcp(7)) that sends small segments without delay (`TCP_NODELAY`).
///
/// No method waits; use a [Poller] to wait. One thread at a time. Sending and receiving allocates
/// no memory.
public final class TcpSocket implements AutoCloseable {
    /// Result of [#receive] if no data is available yet.
    public static final long NOTHING_YET = -1;

    /// Result of [#receive] and [#send] if the connection has ended; [#failure()] has the reason.
    public static final long END = -2;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int SHUT_WR = 1;

    private final Descriptor descriptor;
    private final InetSocketAddress peer;
    private int errno;

    TcpSocket(Descriptor descriptor, InetSocketAddress peer) {
        this.descriptor = descriptor;
        this.peer = peer;
        try {
            enable(descriptor.number(), IPPROTO_TCP, TCP_NODELAY);
        } catch (LinuxException e) {
            descriptor.close();
            throw e;
        }
    }

    /// Begins to connect. The socket becomes writable when the connection is established or has
    /// failed; [#isConnected()] then distinguishes both.
    ///
    /// @param peer resolved address
    /// @throws LinuxException if the kernel refuses at once, for instance for lack of a route
    public static TcpSocket connect(InetSocketAddress peer) {
        TcpSocket socket = new TcpSocket(open(peer), peer);
        try (Arena arena = Arena.ofConfined()) {
            long name = InternetAddress.of(peer, arena).address();
            int number = socket.descriptor.number();
            if (Native.C.connect(number, name, InternetAddress.bytes(peer)) != 0
                    && Native.errno() != Errno.EINPROGRESS.number()) {
                throw Native.failure("connect(" + peer + ")");
            }
            return socket;
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /// Returns whether a socket that has become writable after [#connect] is connected; if not,
    /// [#failure()] has the reason.
    public boolean isConnected() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            if (Native.C.getsockopt(
                            descriptor.number(),
                            SOL_SOCKET,
                            SO_ERROR,
                            error.address(),
                            bytes.address())
                    != 0) {
                throw Native.failure("getsockopt(SO_ERROR)");
            }
            errno = error.get(ValueLayout.JAVA_INT, 0);
            return errno == 0;
        }
    }

    /// Receives the available data.
    ///
    /// @param buffer native memory
    /// @param offset offset of the bytes in the buffer
    /// @param bytes space at the offset, greater than 0
    /// @return number of bytes, [#NOTHING_YET] or [#END]
    public long receive(MemorySegment buffer, long offset, long bytes) {
        long start = addressOf(buffer, offset, bytes);
        long got;
        do {
            got = Native.C.recv(descriptor.number(), start, bytes, MSG_DONTWAIT);
        } while (got < 0 && Native.interrupted());
        if (got > 0) {
            return got;
        }
        if (got == 0) {
            errno = 0;
            return END;
        }
        errno = Native.errno();
        return errno == Errno.EAGAIN.number() ? NOTHING_YET : END;
    }

    /// Sends as many bytes as the socket has space for.
    ///
    /// @return number of bytes sent, 0 if there is no space, or [#END]
    public long send(MemorySegment buffer, long offset, long bytes) {
        long start = addressOf(buffer, offset, bytes);
        int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
        long done;
        do {
            done = Native.C.send(descriptor.number(), start, bytes, flags);
        } while (done < 0 && Native.interrupted());
        if (done >= 0) {
            return done;
        }
        errno = Native.errno();
        return errno == Errno.EAGAIN.number() ? 0 : END;
    }

    /// Announces to the peer that this side sends nothing more (shutdown(2)). No effect if the
    /// connection has ended.
    public void finishSending() {
        Native.C.shutdown(descriptor.number(), SHUT_WR);
    }

    /// Returns the reason for which the connection has ended.
    public String failure() {
        return errno == 0 ? "closed by the peer" : Errno.nameOf(errno);
    }

    /// Returns the peer's address.
    public InetSocketAddress peer() {
        return peer;
    }

    /// Returns the descriptor's number, for a [Poller].
    public int descriptor() {
        return descriptor.number();
    }

    @Override
    public void close() {
        descriptor.close();
    }

    /// Creates a non-blocking socket of an address's family.
    static Descriptor open(InetSocketAddress address) {
        int type =
                SocketAddress.SOCK_STREAM
                        | SocketAddress.SOCK_CLOEXEC
                        | SocketAddress.SOCK_NONBLOCK;
        int number = Native.C.socket(InternetAddress.family(address), type, 0);
        if (number < 0) {
            throw Native.failure("socket");
        }
        return Descriptor.own(number);
    }

    /// Sets an option of a socket to 1.
    static void enable(int number, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            long one = arena.allocateFrom(ValueLayout.JAVA_INT, 1).address();
            if (Native.C.setsockopt(number, level, option, one, Integer.BYTES) != 0) {
                throw Native.failure("setsockopt(%d, %d)".formatted(level, option));
            }
        }
    }

    private static long addressOf(MemorySegment buffer, long offset, long bytes) {
        if (!buffer.isNative()) {
            throw new IllegalArgumentException("buffer is not native memory");
        }
        if (offset < 0 || bytes <= 0 || bytes > buffer.byteSize() - offset) {
            throw new IndexOutOfBoundsException(
                    "offset=%d bytes=%d, limit=%d".formatted(offset, bytes, buffer.byteSize()));
        }
        return buffer.address() + offset;
    }
}

package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;

/// Connected UNIX stream socket that can also pass file descriptors (unix(7), SCM_RIGHTS).
///
/// No method waits; use a [Poller] to wait. One thread at a time. Sending and receiving bytes
/// allocates no memory; receiving a descriptor allocates its [Descriptor].
///
/// Descriptors accompany the first byte of their send call. A receive call ends after the data that
/// descriptors accompany, so they belong to a message that begins in the received bytes.
public final class FdSocket implements AutoCloseable {
    /// Maximum number of descriptors that a call can receive.
    public static final int MAX_RECEIVED = 16;

    /// Maximum number of descriptors that a call can send (the kernel's `SCM_MAX_FD`).
    public static final int MAX_SENT = 253;

    /// Result of [#receive] if no data is available yet.
    public static final long NOTHING_YET = -1;

    /// Result of [#receive] if the peer has disconnected and all of its data has been received.
    public static final long END = 0;

    /// Result of the send methods if the peer has disconnected.
    public static final long PEER_GONE = -1;

    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    // struct msghdr, followed in the same allocation by one iovec and the control data
    private static final long MSG_IOV = 16;
    private static final long MSG_IOVLEN = 24;
    private static final long MSG_CONTROL = 32;
    private static final long MSG_CONTROLLEN = 40;
    private static final long MSG_FLAGS = 48;
    private static final long IOV_BASE = 56;
    private static final long IOV_LEN = 64;
    private static final long CONTROL = 72;
    // struct cmsghdr
    private static final long CMSG_LEN = CONTROL;
    private static final long CMSG_LEVEL = CONTROL + 8;
    private static final long CMSG_TYPE = CONTROL + 12;
    private static final long CMSG_DATA = CONTROL + 16;
    private static final long CMSG_HEADER_BYTES = 16;

    /// Space for [#MAX_RECEIVED] descriptors. The number is even, because the kernel rounds the
    /// space up to 8 bytes and would otherwise pass one more descriptor.
    private static final long CONTROL_BYTES =
            CMSG_HEADER_BYTES + (long) MAX_RECEIVED * Integer.BYTES;

    private final Descriptor descriptor;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment received = messageHeader(arena, MAX_RECEIVED);
    private final MemorySegment sent = messageHeader(arena, MAX_SENT);
    private boolean truncated;

    FdSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Both ends of a connection.
    public record Pair(FdSocket left, FdSocket right) implements AutoCloseable {
        @Override
        public void close() {
            left.close();
            right.close();
        }
    }

    /// Creates two connected sockets.
    public static Pair pair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
            int type = SocketAddress.SOCK_STREAM | SocketAddress.SOCK_CLOEXEC;
            if (Native.C.socketpair(SocketAddress.AF_UNIX, type, 0, numbers.address()) != 0) {
                throw Native.failure("socketpair");
            }
            return new Pair(
                    new FdSocket(Descriptor.own(numbers.getAtIndex(ValueLayout.JAVA_INT, 0))),
                    new FdSocket(Descriptor.own(numbers.getAtIndex(ValueLayout.JAVA_INT, 1))));
        }
    }

    /// Connects to a listening socket.
    ///
    /// @throws LinuxException with EAGAIN if the socket's queue of clients is full
    public static FdSocket connect(Path path) {
        int type = SocketAddress.SOCK_STREAM | SocketAddress.SOCK_CLOEXEC;
        int number = Native.C.socket(SocketAddress.AF_UNIX, type | SocketAddress.SOCK_NONBLOCK, 0);
        if (number < 0) {
            throw Native.failure("socket");
        }
        Descriptor descriptor = Descriptor.own(number);
        try (Arena arena = Arena.ofConfined()) {
            long name = SocketAddress.of(path, arena).address();
            if (Native.C.connect(number, name, SocketAddress.BYTES) != 0) {
                throw Native.failure("connect(" + path + ")");
            }
            return new FdSocket(descriptor);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /// Receives the available data.
    ///
    /// @param buffer native memory
    /// @param offset offset of the bytes in the buffer
    /// @param bytes space at the offset, greater than 0
    /// @param descriptors list to which the received descriptors are added; the caller must close
    ///   them
    /// @return number of bytes, [#END] or [#NOTHING_YET]
    public long receive(
            MemorySegment buffer, long offset, long bytes, List<Descriptor> descriptors) {
        point(received, buffer, offset, bytes);
        received.set(ValueLayout.JAVA_LONG, MSG_CONTROLLEN, CONTROL_BYTES);
        int flags = MSG_DONTWAIT | MSG_CMSG_CLOEXEC;
        long got;
        do {
            got = Native.C.recvmsg(descriptor.number(), received.address(), flags);
        } while (got < 0 && Native.interrupted());
        if (got < 0) {
            return receiveFailed(Native.errno());
        }
        truncated = (received.get(ValueLayout.JAVA_INT, MSG_FLAGS) & MSG_CTRUNC) != 0;
        if (received.get(ValueLayout.JAVA_LONG, MSG_CONTROLLEN) != 0) {
            collect(descriptors);
        }
        return got;
    }

    /// Receives the available data from a peer that is not expected to send descriptors. The kernel
    /// drops any descriptors and does not install them in this process.
    ///
    /// @param buffer native memory
    /// @param offset offset of the bytes in the buffer
    /// @param bytes space at the offset, greater than 0
    /// @return number of bytes, [#END] or [#NOTHING_YET]
    public long receive(MemorySegment buffer, long offset, long bytes) {
        long start = addressOf(buffer, offset, bytes);
        long got;
        do {
            got = Native.C.recv(descriptor.number(), start, bytes, MSG_DONTWAIT);
        } while (got < 0 && Native.interrupted());
        return got < 0 ? receiveFailed(Native.errno()) : got;
    }

    /// Returns whether the last [#receive(MemorySegment, long, long, List)] dropped descriptors
    /// because their number exceeded [#MAX_RECEIVED] or this process's limit.
    public boolean truncated() {
        return truncated;
    }

    /// Sends as many bytes as the socket has space for.
    ///
    /// @return number of bytes sent, 0 if there is no space, or [#PEER_GONE]
    public long send(MemorySegment buffer, long offset, long bytes) {
        long start = addressOf(buffer, offset, bytes);
        int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
        long done;
        do {
            done = Native.C.send(descriptor.number(), start, bytes, flags);
        } while (done < 0 && Native.interrupted());
        return done < 0 ? sendFailed(Native.errno()) : done;
    }

    /// Sends bytes, and descriptors with the first byte. If the socket has no space for a byte, no
    /// descriptor is sent.
    ///
    /// @return as [#send(MemorySegment, long, long)]
    public long send(MemorySegment buffer, long offset, long bytes, int... descriptors) {
        if (descriptors.length > MAX_SENT) {
            throw new IllegalArgumentException(
                    "descriptors=%d, limit=%d".formatted(descriptors.length, MAX_SENT));
        }
        point(sent, buffer, offset, bytes);
        long dataBytes = (long) descriptors.length * Integer.BYTES;
        long controlBytes = descriptors.length == 0 ? 0 : CMSG_HEADER_BYTES + dataBytes;
        sent.set(ValueLayout.JAVA_LONG, MSG_CONTROLLEN, controlBytes);
        sent.set(ValueLayout.JAVA_LONG, CMSG_LEN, controlBytes);
        sent.set(ValueLayout.JAVA_INT, CMSG_LEVEL, SOL_SOCKET);
        sent.set(ValueLayout.JAVA_INT, CMSG_TYPE, SCM_RIGHTS);
        MemorySegment.copy(
                descriptors, 0, sent, ValueLayout.JAVA_INT, CMSG_DATA, descriptors.length);
        long done;
        do {
            done =
                    Native.C.sendmsg(
                            descriptor.number(), sent.address(), MSG_DONTWAIT | MSG_NOSIGNAL);
        } while (done < 0 && Native.interrupted());
        return done < 0 ? sendFailed(Native.errno()) : done;
    }

    /// Returns the descriptor's number, for a [Poller].
    public int descriptor() {
        return descriptor.number();
    }

    /// Returns the credentials that the peer had when it connected.
    ///
    /// @throws LinuxException if the kernel does not report them
    public PeerCredentials peer() {
        return PeerCredentials.of(descriptor.number());
    }

    @Override
    public void close() {
        if (descriptor.isOpen()) {
            descriptor.close();
            arena.close();
        }
    }

    private void collect(List<Descriptor> descriptors) {
        long bytes = received.get(ValueLayout.JAVA_LONG, CMSG_LEN) - CMSG_HEADER_BYTES;
        if (received.get(ValueLayout.JAVA_INT, CMSG_LEVEL) != SOL_SOCKET
                || received.get(ValueLayout.JAVA_INT, CMSG_TYPE) != SCM_RIGHTS) {
            return;
        }
        for (long at = 0; at < bytes; at += Integer.BYTES) {
            descriptors.add(Descriptor.own(received.get(ValueLayout.JAVA_INT, CMSG_DATA + at)));
        }
    }

    private long receiveFailed(int errno) {
        if (errno == Errno.EAGAIN.number()) {
            return NOTHING_YET;
        }
        if (errno == Errno.ECONNRESET.number()) {
            return END;
        }
        throw new LinuxException("recvmsg", errno);
    }

    private static long sendFailed(int errno) {
        if (errno == Errno.EAGAIN.number()) {
            return 0;
        }
        if (errno == Errno.EPIPE.number() || errno == Errno.ECONNRESET.number()) {
            return PEER_GONE;
        }
        throw new LinuxException("sendmsg", errno);
    }

    private static void point(
            MemorySegment message, MemorySegment buffer, long offset, long bytes) {
        message.set(ValueLayout.JAVA_LONG, IOV_BASE, addressOf(buffer, offset, bytes));
        message.set(ValueLayout.JAVA_LONG, IOV_LEN, bytes);
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

    private static MemorySegment messageHeader(Arena arena, int descriptors) {
        long controlBytes = CMSG_HEADER_BYTES + (long) descriptors * Integer.BYTES;
        MemorySegment message = arena.allocate(CONTROL + controlBytes, Long.BYTES);
        message.set(ValueLayout.JAVA_LONG, MSG_IOV, message.address() + IOV_BASE);
        message.set(ValueLayout.JAVA_LONG, MSG_IOVLEN, 1);
        message.set(ValueLayout.JAVA_LONG, MSG_CONTROL, message.address() + CONTROL);
        return message;
    }
}

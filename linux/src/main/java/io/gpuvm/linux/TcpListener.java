package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/// Listening TCP socket (tcp(7)). One thread at a time.
public final class TcpListener implements AutoCloseable {
    /// Number of connections that may wait to be accepted. The kernel limits it to
    /// `net.core.somaxconn`.
    private static final int BACKLOG = 256;

    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;

    private final InetSocketAddress address;
    private final Descriptor descriptor;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment peer = arena.allocate(InternetAddress.MOST_BYTES, Long.BYTES);
    private final MemorySegment peerBytes = arena.allocate(ValueLayout.JAVA_INT);

    private TcpListener(InetSocketAddress address, Descriptor descriptor) {
        this.address = address;
        this.descriptor = descriptor;
    }

    /// Listens at an address.
    ///
    /// @param address resolved address; port 0 lets the kernel choose a port
    /// @throws LinuxException with EADDRINUSE if a process listens there
    public static TcpListener listen(InetSocketAddress address) {
        Descriptor descriptor = TcpSocket.open(address);
        try (Arena arena = Arena.ofConfined()) {
            int number = descriptor.number();
            // A restarted backend can listen while connections of the former process still end.
            TcpSocket.enable(number, SOL_SOCKET, SO_REUSEADDR);
            MemorySegment name = InternetAddress.of(address, arena);
            if (Native.C.bind(number, name.address(), InternetAddress.bytes(address)) != 0) {
                throw Native.failure("bind(" + address + ")");
            }
            if (Native.C.listen(number, BACKLOG) != 0) {
                throw Native.failure("listen(" + address + ")");
            }
            MemorySegment bytes =
                    arena.allocateFrom(ValueLayout.JAVA_INT, InternetAddress.MOST_BYTES);
            if (Native.C.getsockname(number, name.address(), bytes.address()) != 0) {
                throw Native.failure("getsockname");
            }
            return new TcpListener(InternetAddress.read(name), descriptor);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /// Accepts the next connection; returns null if none is waiting.
    ///
    /// @throws LinuxException if the host temporarily lacks descriptors or memory
    public TcpSocket accept() {
        peerBytes.set(ValueLayout.JAVA_INT, 0, InternetAddress.MOST_BYTES);
        int flags = SocketAddress.SOCK_CLOEXEC | SocketAddress.SOCK_NONBLOCK;
        int number =
                Native.C.accept4(descriptor.number(), peer.address(), peerBytes.address(), flags);
        if (number >= 0) {
            return new TcpSocket(Descriptor.own(number), InternetAddress.read(peer));
        }
        int errno = Native.errno();
        if (errno == Errno.EAGAIN.number()
                || errno == Errno.EINTR.number()
                || errno == Errno.ECONNABORTED.number()) {
            return null;
        }
        throw new LinuxException("accept(" + address + ")", errno);
    }

    /// Returns the address with the actual port.
    public InetSocketAddress address() {
        return address;
    }

    /// Returns the descriptor's number, for a [Poller].
    public int descriptor() {
        return descriptor.number();
    }

    @Override
    public void close() {
        if (descriptor.isOpen()) {
            descriptor.close();
            arena.close();
        }
    }
}

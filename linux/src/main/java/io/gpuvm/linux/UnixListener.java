package io.gpuvm.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/// Listening stream socket with a path (unix(7)). One thread at a time.
public final class UnixListener implements AutoCloseable {
    /// Number of clients that may wait to be accepted: as many as a virtual machine can have
    /// programs that connect at the same time.
    private static final int BACKLOG = 64;

    // file types of inode(7)
    private static final int S_IFMT = 0xf000;
    private static final int S_IFSOCK = 0xc000;

    private static final int OWNER_ONLY = 0600;

    private final Path path;
    private final Descriptor descriptor;

    private UnixListener(Path path, Descriptor descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /// Creates the socket. Replaces the socket file of a dead process.
    ///
    /// @throws LinuxException with EADDRINUSE if a process listens at the path, or if the path
    ///   names a file that is not a socket
    public static UnixListener listen(Path path) {
        return listen(path, false);
    }

    /// Listens like [#listen(Path)], on a socket that accepts only this process's user (and root).
    public static UnixListener listenPrivately(Path path) {
        return listen(path, true);
    }

    /// Makes the kernel refuse descriptors from clients: a thread that drops or closes a descriptor
    /// may block for as long as the descriptor's sender chooses. No effect before Linux 6.16.
    public UnixListener refuseDescriptors() {
        PassedDescriptors.refuse(descriptor.number());
        return this;
    }

    private static UnixListener listen(Path path, boolean ownerOnly) {
        int type = SocketAddress.SOCK_STREAM | SocketAddress.SOCK_CLOEXEC;
        int number = Native.C.socket(SocketAddress.AF_UNIX, type | SocketAddress.SOCK_NONBLOCK, 0);
        if (number < 0) {
            throw Native.failure("socket");
        }
        Descriptor descriptor = Descriptor.own(number);
        try {
            // The file gets the socket's mode at creation, so that other users can never connect.
            if (ownerOnly && Native.C.fchmod(number, OWNER_ONLY) != 0) {
                throw Native.failure("fchmod(" + path + ")");
            }
            bind(number, path);
            if (Native.C.listen(number, BACKLOG) != 0) {
                throw Native.failure("listen(" + path + ")");
            }
            return new UnixListener(path, descriptor);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /// Accepts the next client; returns null if no client is waiting.
    public FdSocket accept() {
        int number = Native.C.accept4(descriptor.number(), 0, 0, SocketAddress.SOCK_CLOEXEC);
        if (number >= 0) {
            return new FdSocket(Descriptor.own(number));
        }
        int errno = Native.errno();
        if (errno == Errno.EAGAIN.number()
                || errno == Errno.EINTR.number()
                || errno == Errno.ECONNABORTED.number()) {
            return null;
        }
        throw new LinuxException("accept(" + path + ")", errno);
    }

    public Path path() {
        return path;
    }

    /// Returns the descriptor's number, for a [Poller].
    public int descriptor() {
        return descriptor.number();
    }

    /// Closes the socket and removes its path.
    @Override
    public void close() {
        if (!descriptor.isOpen()) {
            return;
        }
        descriptor.close();
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("socket " + path + " cannot be deleted", e);
        }
    }

    private static void bind(int number, Path path) {
        try (Arena arena = Arena.ofConfined()) {
            long name = SocketAddress.of(path, arena).address();
            if (Native.C.bind(number, name, SocketAddress.BYTES) == 0) {
                return;
            }
            LinuxException refused = Native.failure("bind(" + path + ")");
            if (!refused.is(Errno.EADDRINUSE) || !isAbandoned(path)) {
                throw refused;
            }
            deleteAbandoned(path);
            if (Native.C.bind(number, name, SocketAddress.BYTES) != 0) {
                throw Native.failure("bind(" + path + ")");
            }
        }
    }

    /// Returns whether a path is a socket on which no process listens, so that the kernel refuses
    /// connections.
    private static boolean isAbandoned(Path path) {
        try (FdSocket _ = FdSocket.connect(path)) {
            return false;
        } catch (LinuxException e) {
            return e.is(Errno.ECONNREFUSED) && isSocket(path);
        }
    }

    /// Returns whether a path is a socket. The kernel also refuses a connection to a file, a pipe
    /// or a device, none of which may be deleted.
    private static boolean isSocket(Path path) {
        try {
            return ((int) Files.getAttribute(path, "unix:mode") & S_IFMT) == S_IFSOCK;
        } catch (IOException _) {
            return false;
        }
    }

    private static void deleteAbandoned(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("socket " + path + " cannot be replaced", e);
        }
    }
}

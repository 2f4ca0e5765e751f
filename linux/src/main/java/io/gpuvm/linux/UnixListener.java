package io.gpuvm.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Listening stream socket with a path (unix(7)). One thread at a time.
///
/// The socket's file has mode 0600 from its creation, and is then given to the user and the group
/// that may connect (0660 for a group). It is created only in a folder in which no other user can
/// replace it: a folder that others cannot write, or that has the sticky bit.
public final class UnixListener implements AutoCloseable {
    /// Number of clients that may wait to be accepted: as many as a virtual machine can have
    /// programs that connect at the same time.
    private static final int BACKLOG = 64;

    // file types and permissions of inode(7)
    private static final int S_IFMT = 0xf000;
    private static final int S_IFSOCK = 0xc000;
    private static final int S_ISVTX = 01000;
    private static final int S_IWOTH = 02;

    private static final int OWNER_ONLY = 0600;
    private static final int OWNER_AND_GROUP = 0660;

    private final Path path;
    private final SocketAccess access;
    private final Descriptor descriptor;

    private UnixListener(Path path, SocketAccess access, Descriptor descriptor) {
        this.path = path;
        this.access = access;
        this.descriptor = descriptor;
    }

    /// Creates a socket for this process's user. Replaces the socket file of a dead process.
    ///
    /// @throws LinuxException with EADDRINUSE if a process listens at the path, or if the path
    ///   names a file that is not a socket; with EPERM if other users could replace the file
    public static UnixListener listen(Path path) {
        return listen(path, SocketAccess.OWN_USER);
    }

    /// Creates a socket like [#listen(Path)], for another user or group, too.
    ///
    /// @throws LinuxException in addition with EPERM if this process may not give the file to the
    ///   user or the group
    public static UnixListener listen(Path path, SocketAccess access) {
        checkFolder(path);
        int type = SocketAddress.SOCK_STREAM | SocketAddress.SOCK_CLOEXEC;
        int number = Native.C.socket(SocketAddress.AF_UNIX, type | SocketAddress.SOCK_NONBLOCK, 0);
        if (number < 0) {
            throw Native.failure("socket");
        }
        Descriptor descriptor = Descriptor.own(number);
        boolean bound = false;
        try {
            // The file gets the socket's mode at creation, so that other users can never connect.
            if (Native.C.fchmod(number, OWNER_ONLY) != 0) {
                throw Native.failure("fchmod(" + path + ")");
            }
            bind(number, path);
            bound = true;
            give(path, access);
            if (Native.C.listen(number, BACKLOG) != 0) {
                throw Native.failure("listen(" + path + ")");
            }
            return new UnixListener(path, access, descriptor);
        } catch (RuntimeException e) {
            descriptor.close();
            if (bound) {
                delete(path);
            }
            throw e;
        }
    }

    /// Makes the kernel refuse descriptors from clients: a thread that drops or closes a descriptor
    /// may block for as long as the descriptor's sender chooses. No effect before Linux 6.16.
    public UnixListener refuseDescriptors() {
        PassedDescriptors.refuse(descriptor.number());
        return this;
    }

    /// Returns the reason for refusing a client that [#accept()] has returned; null if the client
    /// is a process of a user or group that may connect.
    ///
    /// @throws LinuxException if the kernel does not report the client's credentials
    public String refusal(FdSocket client) {
        return access.refusal(client.peer());
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
        delete(path);
    }

    /// Throws [LinuxException] if other users could replace a file in the folder of the path. A
    /// missing folder is left to bind(2).
    private static void checkFolder(Path path) {
        Path folder = path.toAbsolutePath().getParent();
        int mode;
        try {
            mode = (int) Files.getAttribute(folder, "unix:mode");
        } catch (IOException _) {
            return;
        }
        if ((mode & S_IWOTH) != 0 && (mode & S_ISVTX) == 0) {
            throw new LinuxException(
                    "bind(%s): other users can replace files in the folder %s, mode=%o"
                            .formatted(path, folder, mode & ~S_IFMT),
                    Errno.EPERM.number());
        }
    }

    /// Gives the file to the user and the group that may connect.
    private static void give(Path path, SocketAccess access) {
        if (access.equals(SocketAccess.OWN_USER)) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(path.toString()).address();
            if (Native.C.lchown(name, access.uid(), access.gid()) != 0) {
                throw Native.failure(
                        "chown(%s, uid=%d, gid=%d)".formatted(path, access.uid(), access.gid()));
            }
            if (access.gid() != SocketAccess.NONE && Native.C.chmod(name, OWNER_AND_GROUP) != 0) {
                throw Native.failure("chmod(" + path + ")");
            }
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
            delete(path);
            if (Native.C.bind(number, name, SocketAddress.BYTES) != 0) {
                throw Native.failure("bind(" + path + ")");
            }
        }
    }

    /// Returns whether a path is a socket on which no process listens, so that the kernel refuses
    /// connections. The kernel also refuses a connection to a file, a pipe or a device, none of
    /// which may be deleted, and follows a symbolic link, whose target is another file.
    private static boolean isAbandoned(Path path) {
        if (!isSocket(path)) {
            return false;
        }
        try (FdSocket _ = FdSocket.connect(path)) {
            return false;
        } catch (LinuxException e) {
            return e.is(Errno.ECONNREFUSED);
        }
    }

    private static boolean isSocket(Path path) {
        try {
            int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & S_IFMT) == S_IFSOCK;
        } catch (IOException _) {
            return false;
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("socket " + path + " cannot be deleted", e);
        }
    }
}

package io.gpuvm.linux;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/// Single binding of the C library.
///
/// Every parameter is a primitive, and pointers are passed as `long`, so that a call allocates no
/// memory. Functions follow the C convention: they return -1 on failure, and [#errno()] then
/// returns the error number.
final class Native {
    static final Calls C = LibraryLoader.create(Calls.class).load("c");

    private static final Runtime RUNTIME = Runtime.getRuntime(C);

    private Native() {}

    /// Returns the error number of the calling thread's last failed call. Valid until the thread's
    /// next call.
    static int errno() {
        return RUNTIME.getLastError();
    }

    /// Returns the exception for the calling thread's last failed call.
    static LinuxException failure(String call) {
        return new LinuxException(call, errno());
    }

    /// Returns whether a signal interrupted the last failed call, so that the caller must retry it.
    static boolean interrupted() {
        return errno() == Errno.EINTR.number();
    }

    /// C functions with the signatures of the manual pages. Public because the binding is generated
    /// into a class of another package.
    public interface Calls {
        int open(long path, int flags, int mode);

        int close(int descriptor);

        int fcntl(int descriptor, int command, long argument);

        int flock(int descriptor, int operation);

        int ioctl(int descriptor, long request, long argument);

        long read(int descriptor, long buffer, long bytes);

        long write(int descriptor, long buffer, long bytes);

        int memfd_create(long name, int flags);

        int fchmod(int descriptor, int mode);

        int chmod(long path, int mode);

        int lchown(long path, int uid, int gid);

        int geteuid();

        int ftruncate(int descriptor, long bytes);

        int fallocate(int descriptor, int mode, long offset, long bytes);

        int fstatfs(int descriptor, long buffer);

        /// Has one parameter more than the C function: the code that jnr-ffi 2.3.3 generates for
        /// x86-64 calls with six parameters reads the sixth from the wrong stack slot
        /// (`X86_64StubCompiler`). jnr-ffi generates no such code for seven parameters.
        long mmap(
                long hint,
                long bytes,
                int protection,
                int flags,
                int descriptor,
                long offset,
                long unused);

        int munmap(long address, long bytes);

        int eventfd(int initial, int flags);

        int epoll_create1(int flags);

        int epoll_ctl(int epoll, int operation, int descriptor, long event);

        int epoll_wait(int epoll, long events, int maxEvents, int timeoutMs);

        int ppoll(long descriptors, long count, long timeout, long signals);

        int statx(int directory, long path, int flags, int mask, long buffer);

        int socket(int domain, int type, int protocol);

        int socketpair(int domain, int type, int protocol, long pair);

        int bind(int descriptor, long name, int nameBytes);

        int listen(int descriptor, int backlog);

        int setsockopt(int descriptor, int level, int option, long value, int valueBytes);

        int shutdown(int descriptor, int how);

        int getsockopt(int descriptor, int level, int option, long value, long valueBytes);

        int getsockname(int descriptor, long name, long nameBytes);

        int accept4(int descriptor, long name, long nameBytes, int flags);

        int connect(int descriptor, long name, int nameBytes);

        long send(int descriptor, long buffer, long bytes, int flags);

        long recv(int descriptor, long buffer, long bytes, int flags);

        long sendmsg(int descriptor, long message, int flags);

        long recvmsg(int descriptor, long message, int flags);

        int setpriority(int which, int who, int niceness);

        int clock_gettime(int clock, long time);
    }
}

package io.gpuvm.linux;

/// Error numbers of the Linux kernel, as in system calls and vfio-user replies
/// (`include/uapi/asm-generic/errno-base.h` and `errno.h`).
///
/// Lists only the numbers that gpuvm uses or is likely to receive; [#nameOf] accepts any number.
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    E2BIG(7),
    EBADF(9),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    ENFILE(23),
    EMFILE(24),
    ENOTTY(25),
    EFBIG(27),
    ENOSPC(28),
    EROFS(30),
    EPIPE(32),
    ENAMETOOLONG(36),
    ENOSYS(38),
    EPROTO(71),
    EOVERFLOW(75),
    ENOTSOCK(88),
    EMSGSIZE(90),
    ENOTSUP(95),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ENETDOWN(100),
    ENETUNREACH(101),
    ENETRESET(102),
    ECONNABORTED(103),
    ECONNRESET(104),
    ENOTCONN(107),
    ETOOMANYREFS(109),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTDOWN(112),
    EHOSTUNREACH(113),
    EINPROGRESS(115);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /// Returns the error number.
    public int number() {
        return number;
    }

    /// Returns the symbolic name of an error number, or `errno N` for a number N that this list
    /// lacks.
    public static String nameOf(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno.name();
            }
        }
        return "errno " + number;
    }
}

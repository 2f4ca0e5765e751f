package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// File descriptor with one owner. Any thread may close it; only the first close has an effect.
public final class Descriptor implements AutoCloseable {
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_GETFL = 3;
    private static final int O_PATH = 0x200000;
    private static final int O_RDWR = 0x2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int F_OFD_SETLK = 37;
    private static final int LOCK_SH = 0x1;
    private static final int LOCK_EX = 0x2;
    private static final int LOCK_NB = 0x4;

    // struct flock of fcntl(2) on 64-bit systems; l_whence 0 is SEEK_SET, l_pid must be 0
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    private static final long LOCK_TYPE = 0;
    private static final long LOCK_START = 8;
    private static final long LOCK_LENGTH = 16;
    private static final long LOCK_BYTES = 32;

    /// Kinds of locks of a whole file.
    public enum FileLock {
        /// Lock that other open files can share.
        SHARED(LOCK_SH),
        /// Lock that excludes locks of other open files.
        EXCLUSIVE(LOCK_EX);

        private final int operation;

        FileLock(int operation) {
            this.operation = operation;
        }
    }

    private final int number;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Descriptor(int number) {
        this.number = number;
    }

    /// Takes ownership of a descriptor that this process holds.
    public static Descriptor own(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("descriptor=" + number + ", expected at least 0");
        }
        return new Descriptor(number);
    }

    /// Opens an existing file for reading and writing (open(2)).
    ///
    /// @throws LinuxException if the file cannot be opened
    public static Descriptor open(Path path) {
        int number;
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(path.toString()).address();
            number = Native.C.open(name, O_RDWR | O_CLOEXEC, 0);
        }
        if (number < 0) {
            throw Native.failure("open(" + path + ")");
        }
        return new Descriptor(number);
    }

    /// Returns a second descriptor of the same open file, with the close-on-exec flag.
    public static Descriptor duplicate(int number) {
        int copy = Native.C.fcntl(number, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) {
            throw Native.failure("dup(" + number + ")");
        }
        return new Descriptor(copy);
    }

    /// Returns the descriptor's number.
    ///
    /// @throws IllegalStateException if the descriptor is closed, because the number may refer to
    ///   another file
    public int number() {
        if (closed.get()) {
            throw new IllegalStateException("descriptor=" + number + " is closed");
        }
        return number;
    }

    /// Returns whether the descriptor only identifies a file (open(2), `O_PATH`), so that it can be
    /// passed on but not read, written or mapped. False for other descriptors and for invalid
    /// numbers.
    public boolean isPathOnly() {
        int flags = Native.C.fcntl(number(), F_GETFL, 0);
        return flags >= 0 && (flags & O_PATH) != 0;
    }

    /// Tries to acquire a lock of the file for this open file (flock(2)), without waiting. Such a
    /// lock does not conflict with locks of bytes ([#tryLock]). The kernel releases it as it
    /// releases those.
    ///
    /// @return false if another open file holds a conflicting lock
    /// @throws LinuxException if the kernel refuses for another reason
    public boolean tryLockFile(FileLock kind) {
        int result;
        do {
            result = Native.C.flock(number(), kind.operation | LOCK_NB);
        } while (result < 0 && Native.interrupted());
        if (result == 0) {
            return true;
        }
        if (Native.errno() == Errno.EAGAIN.number()) {
            return false;
        }
        throw Native.failure("flock(" + number + ")");
    }

    /// Tries to acquire the exclusive lock of one byte of the file for this open file (fcntl(2),
    /// `F_OFD_SETLK`), without waiting. The byte need not exist. The kernel releases the lock when
    /// the last descriptor and the last mapping of this open file are closed, for instance because
    /// all processes that have them exit.
    ///
    /// @param offset offset of the byte
    /// @return false if another open file holds the lock
    /// @throws LinuxException if the kernel refuses for another reason, for instance because the
    ///   descriptor is not writable
    public boolean tryLock(long offset) {
        if (lock(F_WRLCK, offset) == 0) {
            return true;
        }
        if (Native.errno() == Errno.EAGAIN.number()) {
            return false;
        }
        throw Native.failure("fcntl(" + number + ", F_OFD_SETLK, " + offset + ")");
    }

    /// Releases a lock that [#tryLock] has acquired.
    ///
    /// @param offset offset of the byte
    public void unlock(long offset) {
        if (lock(F_UNLCK, offset) != 0) {
            throw Native.failure("fcntl(" + number + ", F_OFD_SETLK, " + offset + ")");
        }
    }

    private int lock(short type, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lock = arena.allocate(LOCK_BYTES, Long.BYTES);
            lock.set(ValueLayout.JAVA_SHORT, LOCK_TYPE, type);
            lock.set(ValueLayout.JAVA_LONG, LOCK_START, offset);
            lock.set(ValueLayout.JAVA_LONG, LOCK_LENGTH, 1);
            return Native.C.fcntl(number(), F_OFD_SETLK, lock.address());
        }
    }

    public boolean isOpen() {
        return !closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Native.C.close(number);
        }
    }

    @Override
    public String toString() {
        return "Descriptor[" + number + (closed.get() ? ", closed]" : "]");
    }
}

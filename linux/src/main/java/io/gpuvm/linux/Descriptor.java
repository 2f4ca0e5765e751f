package io.gpuvm.linux;

import java.util.concurrent.atomic.AtomicBoolean;

/// A file descriptor with one owner. Any thread may close it; only the first close counts.
public final class Descriptor implements AutoCloseable {
    private static final int F_DUPFD_CLOEXEC = 1030;

    private final int number;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Descriptor(int number) {
        this.number = number;
    }

    /// Takes ownership of a descriptor that this process holds.
    public static Descriptor own(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("descriptor=" + number + ", limit=0 or more");
        }
        return new Descriptor(number);
    }

    /// A second descriptor of the same open file, closed on exec.
    public static Descriptor duplicate(int number) {
        int copy = Native.C.fcntl(number, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) {
            throw Native.failure("dup(" + number + ")");
        }
        return new Descriptor(copy);
    }

    /// The kernel's number.
    ///
    /// @throws IllegalStateException if closed: the number may mean another file by now
    public int number() {
        if (closed.get()) {
            throw new IllegalStateException("descriptor=" + number + " is closed");
        }
        return number;
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

package io.gpuvm.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/// Kernel counter that wakes its pollers (eventfd(2)); signals interrupts between processes.
public final class EventFd implements AutoCloseable {
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK = 0x800;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;

    /// Target of an eventfd's link in `/proc/PID/fd`.
    private static final String LINK = "anon_inode:[eventfd]";

    /// Address of the number that a signal writes; never changed, so that all threads can share it.
    private static final long ONE = eight(1).address();

    private static final long TWO = eight(2).address();

    private final Descriptor descriptor;
    private final MemorySegment drained = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

    private EventFd(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Creates a non-blocking eventfd with the value 0.
    public static EventFd create() {
        int number = Native.C.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (number < 0) {
            throw Native.failure("eventfd");
        }
        return new EventFd(Descriptor.own(number));
    }

    /// Returns whether a descriptor, which another process may have sent, is an eventfd.
    public static boolean isEventFd(int descriptor) {
        try {
            Path link = Path.of("/proc/self/fd", Integer.toString(descriptor));
            return Files.readSymbolicLink(link).toString().equals(LINK);
        } catch (IOException _) {
            return false;
        }
    }

    /// Adopts an eventfd from another process, and makes it non-blocking. If the other process
    /// clears the flag, it can block only the threads that signal its own virtual machine.
    ///
    /// @param descriptor descriptor that the result owns; closed on failure
    /// @throws LinuxException if the flags cannot be set, for example because the descriptor only
    ///   identifies a file
    public static EventFd adopt(Descriptor descriptor) {
        try {
            int flags = Native.C.fcntl(descriptor.number(), F_GETFL, 0);
            if (flags < 0 || Native.C.fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK) < 0) {
                throw Native.failure("fcntl(" + descriptor.number() + ", O_NONBLOCK)");
            }
            return new EventFd(descriptor);
        } catch (RuntimeException | Error e) {
            descriptor.close();
            throw e;
        }
    }

    /// Adds 1 to the counter of an eventfd. Any thread.
    ///
    /// A full counter counts as a success, because a signal is already pending.
    ///
    /// @return false if the descriptor does not accept a signal
    public static boolean signal(int descriptor) {
        long written;
        do {
            written = Native.C.write(descriptor, ONE, Long.BYTES);
        } while (written < 0 && Native.interrupted());
        return written == Long.BYTES || Native.errno() == Errno.EAGAIN.number();
    }

    /// Adds 1 to this counter. Any thread.
    public void signal() {
        signal(descriptor.number());
    }

    /// Sets the counter to 0. One thread at a time.
    ///
    /// @return the previous value
    public long drain() {
        long got;
        do {
            got = Native.C.read(descriptor.number(), drained.address(), Long.BYTES);
        } while (got < 0 && Native.interrupted());
        return got == Long.BYTES ? drained.get(ValueLayout.JAVA_LONG, 0) : 0;
    }

    /// Returns whether a read subtracts 1 from the counter instead of setting it to 0 (eventfd(2),
    /// `EFD_SEMAPHORE`). [#drain()] does not suffice for such a counter: after a write of N by
    /// another process, a poller finds the counter readable N times. The mode is detectable only by
    /// a trial, which adds 1 to such a counter; any other counter stays signalled if it was
    /// signalled before. One thread at a time.
    public boolean isSemaphore() {
        long written;
        do {
            written = Native.C.write(descriptor.number(), TWO, Long.BYTES);
        } while (written < 0 && Native.interrupted());
        long was = drain();
        if (was > 2) {
            signal();
        }
        return was < 2;
    }

    /// Returns the descriptor's number, valid until [#close()].
    public int descriptor() {
        return descriptor.number();
    }

    @Override
    public void close() {
        descriptor.close();
    }

    private static MemorySegment eight(long value) {
        return Arena.global().allocateFrom(ValueLayout.JAVA_LONG, value);
    }
}

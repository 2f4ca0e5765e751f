package io.gpuvm.daemon;

import io.gpuvm.linux.Descriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Random;

/// Descriptors with which a guest and its host wake each other, held by a guest that tries to block
/// the host or to keep it awake.
final class HostileWakeLines implements AutoCloseable {
    /// Kinds of abuse of the descriptors.
    enum Harm {
        /// Blocking mode, in which an unguarded read or write blocks.
        BLOCK,
        /// Full buffers in both directions, so that an unguarded write blocks.
        FILL,
        /// Signals of invalid length.
        GARBAGE,
        SHUT_READING,
        SHUT_WRITING,
        SHUT_BOTH,
        CLOSE
    }

    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int SHUT_RD = 0;
    private static final int SHUT_WR = 1;
    private static final int SHUT_RDWR = 2;

    /// Number of signals, more than fit into any socket's buffer.
    private static final int MOST_SIGNALS = 1 << 20;

    private static final int MOST_GARBAGE = 1 << 12;

    /// Maximum value that an eventfd accepts.
    private static final long LARGEST_SIGNAL = -2;

    private static final MethodHandle FCNTL =
            function("fcntl", ValueLayout.JAVA_INT, Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SHUTDOWN = function("shutdown", null);
    private static final MethodHandle WRITE = write();

    private final Descriptor host;
    private final Descriptor guest;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment words = arena.allocate(MOST_GARBAGE, Long.BYTES);
    private boolean waits;

    /// @param host descriptor that wakes the host
    /// @param guest descriptor that wakes the guest
    HostileWakeLines(Descriptor host, Descriptor guest) {
        this.host = host;
        this.guest = guest;
        setFlags(O_NONBLOCK);
    }

    /// Wakes the host, if this is possible without blocking.
    void signal() {
        if (host.isOpen() && !waits) {
            words.set(ValueLayout.JAVA_LONG, 0, 1);
            write(host, Long.BYTES);
        }
    }

    void harm(Harm how, Random random) {
        if (!host.isOpen()) {
            return;
        }
        switch (how) {
            case BLOCK -> setFlags(0);
            case FILL -> fill();
            case GARBAGE -> scatter(random);
            case SHUT_READING -> shut(SHUT_RD);
            case SHUT_WRITING -> shut(SHUT_WR);
            case SHUT_BOTH -> shut(SHUT_RDWR);
            case CLOSE -> ends().forEach(Descriptor::close);
        }
    }

    @Override
    public void close() {
        ends().forEach(Descriptor::close);
        arena.close();
    }

    private List<Descriptor> ends() {
        return List.of(host, guest);
    }

    private void fill() {
        setFlags(O_NONBLOCK);
        for (Descriptor end : ends()) {
            // An eventfd adds up signals, so only smaller values still fit.
            for (long signal = LARGEST_SIGNAL; signal != 0; signal >>>= 1) {
                words.set(ValueLayout.JAVA_LONG, 0, signal);
                for (int i = 0; i < MOST_SIGNALS && write(end, Long.BYTES) > 0; i++) {
                    // Continues until the buffer is full.
                }
            }
        }
        setFlags(0);
    }

    /// Sets nonblocking mode, and writes garbage.
    private void scatter(Random random) {
        setFlags(O_NONBLOCK);
        byte[] garbage = new byte[1 + random.nextInt(MOST_GARBAGE)];
        random.nextBytes(garbage);
        MemorySegment.copy(garbage, 0, words, ValueLayout.JAVA_BYTE, 0, garbage.length);
        ends().forEach(end -> write(end, garbage.length));
    }

    private void setFlags(int flags) {
        waits = (flags & O_NONBLOCK) == 0;
        for (Descriptor end : ends()) {
            try {
                int _ = (int) FCNTL.invokeExact(end.number(), F_SETFL, flags);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private void shut(int how) {
        for (Descriptor end : ends()) {
            try {
                int _ = (int) SHUTDOWN.invokeExact(end.number(), how);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private long write(Descriptor end, int bytes) {
        try {
            return (long) WRITE.invokeExact(end.number(), words, (long) bytes);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /// Returns a function with two int parameters and an optional third parameter.
    @SuppressWarnings("restricted") // function of the C library
    private static MethodHandle function(
            String name, ValueLayout.OfInt third, Linker.Option... options) {
        FunctionDescriptor two =
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                third == null ? two : two.appendArgumentLayouts(third),
                options);
    }

    @SuppressWarnings("restricted") // function of the C library
    private static MethodHandle write() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("write"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG));
    }
}

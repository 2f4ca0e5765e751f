package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Socket of the service manager that has started this process, such as systemd, for datagrams with
/// the process's state (sd_notify(3), sd_watchdog_enabled(3)). Without a service manager, nothing
/// is sent. Immutable; any thread.
public final class NotifySocket {
    private static final String SOCKET = "NOTIFY_SOCKET";
    private static final String WATCHDOG_TIME = "WATCHDOG_USEC";
    private static final String WATCHDOG_PROCESS = "WATCHDOG_PID";

    private static final int SOCK_DGRAM = 2;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int CLOCK_MONOTONIC = 1;

    /// Maximum length of a name, with its first byte: that of `sun_path` without a final zero.
    private static final int MOST_NAME_BYTES = 107;

    /// First character of a name that is not a path.
    private static final char ABSTRACT = '@';

    /// Name of the socket; null if there is no service manager.
    private final String socket;

    private final Duration watchdog;

    private NotifySocket(String socket, Duration watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /// Returns the socket that this process's environment names.
    public static NotifySocket ofEnvironment() {
        return of(System.getenv(), ProcessHandle.current().pid());
    }

    /// @param pid this process
    static NotifySocket of(Map<String, String> environment, long pid) {
        String socket = environment.get(SOCKET);
        boolean valid =
                socket != null
                        && socket.length() > 1
                        && socket.getBytes(StandardCharsets.UTF_8).length <= MOST_NAME_BYTES
                        && (socket.charAt(0) == '/' || socket.charAt(0) == ABSTRACT);
        String process = environment.get(WATCHDOG_PROCESS);
        String time = environment.get(WATCHDOG_TIME);
        boolean watched =
                time != null
                        && time.matches("[1-9][0-9]{0,17}")
                        && (process == null || process.equals(String.valueOf(pid)));
        return new NotifySocket(
                valid ? socket : null,
                watched
                        ? Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(time)))
                        : null);
    }

    /// Returns the time within which the service manager expects [#alive()]; null if it does not.
    public Duration watchdog() {
        return watchdog;
    }

    /// Reports that the service is ready, or ready again after [#reloading()].
    public void ready() {
        send("READY=1");
    }

    /// Reports that the service reads its configuration again.
    public void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + monotonicMicros());
    }

    /// Reports that the service ends.
    public void stopping() {
        send("STOPPING=1");
    }

    /// Reports that the service works.
    public void alive() {
        send("WATCHDOG=1");
    }

    /// Reports a line for people.
    public void status(String line) {
        send("STATUS=" + line.replace('\n', ' '));
    }

    private static long monotonicMicros() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            if (Native.C.clock_gettime(CLOCK_MONOTONIC, time.address()) != 0) {
                throw Native.failure("clock_gettime");
            }
            return TimeUnit.SECONDS.toMicros(time.getAtIndex(ValueLayout.JAVA_LONG, 0))
                    + TimeUnit.NANOSECONDS.toMicros(time.getAtIndex(ValueLayout.JAVA_LONG, 1));
        }
    }

    private static MemorySegment addressOf(String socket, Arena arena) {
        return socket.charAt(0) == ABSTRACT
                ? SocketAddress.ofAbstract(
                        socket.substring(1).getBytes(StandardCharsets.UTF_8), arena)
                : SocketAddress.of(Path.of(socket), arena);
    }

    private void send(String state) {
        if (socket == null) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            int type = SOCK_DGRAM | SocketAddress.SOCK_CLOEXEC;
            int number = Native.C.socket(SocketAddress.AF_UNIX, type, 0);
            if (number < 0) {
                throw Native.failure("socket");
            }
            try (Descriptor descriptor = Descriptor.own(number)) {
                MemorySegment address = addressOf(socket, arena);
                int bytes = (int) address.byteSize();
                if (Native.C.connect(descriptor.number(), address.address(), bytes) != 0) {
                    throw Native.failure("connect(%s=%s)".formatted(SOCKET, socket));
                }
                byte[] text = state.getBytes(StandardCharsets.UTF_8);
                MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
                int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
                if (Native.C.send(descriptor.number(), data.address(), text.length, flags) < 0) {
                    throw Native.failure("send(%s=%s)".formatted(SOCKET, socket));
                }
            }
        }
    }
}

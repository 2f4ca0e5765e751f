package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.agent.Parkable;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Connection of a program inside a virtual machine, through the backend's PCI function.
///
/// The function's interrupt does not reach a program, so a sleeping thread polls the word that
/// announces the guest's sleep, which the host clears when it rings. The thread polls first after
/// 20 us, then at growing intervals of at most 1 ms. The thread also checks in the registers that
/// the session still exists, but only occasionally, because each access causes an exit of the
/// virtual machine.
public final class PciConnection implements PvConnection {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Initial interval between two polls. The interval doubles after each poll.
    private static final long SHORTEST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /// Maximum interval between two polls, and thus the maximum delay of an answer.
    private static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Interval at which a sleeping thread checks that the session still exists.
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MappedFunction function;
    private final int session;
    private final MappedMemory mapping;
    private final SharedArea area;
    private final Sleeper sleeper;

    private final Parking parking = new Parking(new ThreadWait());

    /// True if the sleeping thread, or the next thread to sleep, must wake.
    private volatile boolean woken;

    private volatile String lost;

    /// Interval before the next poll, for the sleeping thread.
    private long napNs = SHORTEST_NAP_NS;

    private long askedNs;

    private PciConnection(
            MappedFunction function, int session, MappedMemory mapping, SharedArea area) {
        this.function = function;
        this.session = session;
        this.mapping = mapping;
        this.area = area;
        this.sleeper = area.guestSleeper();
        this.askedNs = System.nanoTime();
    }

    /// Begins a session.
    ///
    /// @param function session of a backend's function; owned by the connection, which closes it,
    ///   even on failure
    /// @throws TransportException if the function does not belong to a backend or has another
    ///   version, or if the backend does not begin a session
    public static PciConnection open(MappedFunction function) {
        return open(function, RingProtocol.COMMANDS);
    }

    /// Begins a session as [#open(MappedFunction)] does.
    ///
    /// @param protocol protocol of the rings
    public static PciConnection open(MappedFunction function, RingProtocol protocol) {
        return Attachment.orAbandon(() -> begin(function, protocol), function::close);
    }

    private static PciConnection begin(MappedFunction function, RingProtocol protocol) {
        checkMagic(function.read(FunctionRegisters.MAGIC), protocol);
        check("version", function.read(FunctionRegisters.VERSION), AreaHeader.VERSION);
        function.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
        int session = function.read(FunctionRegisters.SESSION);
        return Attachment.orAbandon(
                () -> {
                    awaitBegin(function);
                    return attach(function, protocol, session);
                },
                () -> end(function, session));
    }

    /// Ends a session, unless another program has begun it again.
    private static void end(MappedFunction function, int session) {
        if (function.read(FunctionRegisters.SESSION) == session) {
            function.write(FunctionRegisters.CONTROL, FunctionRegisters.END);
        }
    }

    private static void checkMagic(int magic, RingProtocol protocol) {
        for (RingProtocol other : RingProtocol.values()) {
            if (other != protocol && magic == other.functionMagic()) {
                throw new TransportException(
                        "magic=%#x: the function is for %s, not for %s"
                                .formatted(magic, other.clients(), protocol.clients()));
            }
        }
        check("magic", magic, protocol.functionMagic());
    }

    private static void check(String name, int value, int expected) {
        if (value != expected) {
            throw new TransportException("%s=%#x, expected=%#x".formatted(name, value, expected));
        }
    }

    private static void awaitBegin(MappedFunction function) {
        long sinceNs = System.nanoTime();
        SessionState state = stateOf(function);
        while (state == SessionState.PENDING) {
            LockSupport.parkNanos(Math.min(LOOK_NS, Attachment.leftNs(sinceNs)));
            state = stateOf(function);
        }
        if (state != SessionState.OPEN) {
            throw new TransportException(
                    "session=%s, expected=OPEN; the backend's log states the reason"
                            .formatted(state));
        }
    }

    private static SessionState stateOf(MappedFunction function) {
        return SessionState.of(function.read(FunctionRegisters.STATE));
    }

    private static PciConnection attach(
            MappedFunction function, RingProtocol protocol, int session) {
        long bytes =
                Integer.toUnsignedLong(function.read(FunctionRegisters.AREA_LO))
                        | (long) function.read(FunctionRegisters.AREA_HI) << Integer.SIZE;
        return Attachment.of(
                function.map(0, bytes),
                protocol,
                (mapping, area) -> new PciConnection(function, session, mapping, area));
    }

    @Override
    public SharedArea area() {
        return area;
    }

    @Override
    public MappedMemory mapData(long offset, long bytes) {
        return function.map(area.layout().data() + offset, bytes);
    }

    @Override
    public void wakeHost() {
        function.write(FunctionRegisters.DOORBELL, 1);
    }

    /// Sleeps for at most one interval. Another thread's announcement of its sleep can hide the
    /// host's doorbell from this thread, so the caller must check its condition after each call.
    @Override
    public void sleep(long timeoutNs) {
        parking.park(new Nap(Math.min(napNs, timeoutNs)));
        woken = false;
        napNs = sleeper.isAnnounced() ? Math.min(napNs << 1, LONGEST_NAP_NS) : SHORTEST_NAP_NS;
        long nowNs = System.nanoTime();
        if (nowNs - askedNs >= ASK_NS) {
            askedNs = nowNs;
            ask();
        }
    }

    private void ask() {
        if (stateOf(function) != SessionState.OPEN
                || function.read(FunctionRegisters.SESSION) != session) {
            lost = "backend has ended the session, or is gone";
        }
    }

    @Override
    public void wake() {
        woken = true;
        parking.wakeAfterFence();
    }

    @Override
    public String lost() {
        return lost;
    }

    /// Ends the session, unless another program has begun it again.
    @Override
    public void close() {
        end(function, session);
        mapping.close();
        function.close();
    }

    /// Interval of sleep that ends early if work arrives.
    private final class Nap implements Parkable {
        private final long nanos;

        Nap(long nanos) {
            this.nanos = nanos;
        }

        @Override
        public boolean mayPark() {
            return !woken && sleeper.isAnnounced();
        }

        @Override
        public long nanosUntilWork() {
            return nanos;
        }
    }
}

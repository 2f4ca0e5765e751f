package io.gpuvm.remote.session;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.WakeLine;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Session of a program that has connected to the agent's socket.
///
/// ```text
///          Hello received         granted               program, link or backend gone
///  HELLO ----------------> ASKED ---------> OPEN ----------------------------------> ENDED
///    |                       |                                                        ^
///    +-----------------------+--- refused, program gone, time limit ------------------+
/// ```
///
/// The program's socket is closed when the session ends, which tells the program that its backend
/// is gone. Confined to the agent's thread.
final class ProgramSession {
    /// Number of slots of [#watch].
    static final int SLOTS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(ProgramSession.class);

    private static final long HELLO_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private enum Phase {
        /// The program has connected.
        HELLO,
        /// The backend has been asked for a session.
        ASKED,
        /// The program has its area.
        OPEN,
        ENDED
    }

    private final FdSocket program;
    private final int number;

    /// Opens the link of a session; the arguments are the request and the current time.
    private final BiFunction<byte[], Long, Link> dialer;

    private final long sinceNs;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
    private long helloBytes;
    private Phase phase = Phase.HELLO;
    private RingProtocol protocol = RingProtocol.COMMANDS;
    private Link link;
    private ProgramArea area;
    private WakeLine wakeHost;
    private WakeLine wakeProgram;
    private Sleeper sleeper;
    private HostEnd end;

    /// True if the program may have disconnected since the last check.
    private boolean isToBeChecked;

    /// @param program connection, owned by the session from now on
    /// @param number number of the session, for the log
    ProgramSession(
            FdSocket program, int number, BiFunction<byte[], Long, Link> dialer, long nowNs) {
        this.program = program;
        this.number = number;
        this.dialer = dialer;
        sinceNs = nowNs;
    }

    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /// @return amount of work done
    int doWork(long nowNs) {
        try {
            return switch (phase) {
                case HELLO -> receiveHello(nowNs);
                case ASKED -> awaitGrant();
                case OPEN -> exchange(nowNs);
                case ENDED -> 0;
            };
        } catch (SessionException | IllegalArgumentException | LinuxException e) {
            end(e.getMessage());
            return 1;
        } catch (RuntimeException e) {
            LOG.error("program {}: internal error; others continue", number, e);
            end("internal error of the agent");
            return 1;
        }
    }

    private int receiveHello(long nowNs) {
        long got = program.receive(hello, helloBytes, Hello.BYTES - helloBytes);
        if (got == FdSocket.NOTHING_YET) {
            if (nowNs - sinceNs >= HELLO_LIMIT_NS) {
                refuse(
                        "no Hello within %d ms"
                                .formatted(TimeUnit.NANOSECONDS.toMillis(HELLO_LIMIT_NS)));
                return 1;
            }
            return 0;
        }
        if (got == FdSocket.END) {
            end("the program has disconnected");
            return 1;
        }
        helloBytes += got;
        if (helloBytes == Hello.BYTES) {
            ask(Hello.read(hello), nowNs);
        }
        return 1;
    }

    private void ask(Hello wanted, long nowNs) {
        if (wanted == null || wanted.version() != AreaHeader.VERSION) {
            refuse(
                    wanted == null
                            ? "expected a Hello"
                            : "version=%d, expected=%d"
                                    .formatted(wanted.version(), AreaHeader.VERSION));
            return;
        }
        protocol = wanted.protocol();
        link = dialer.apply(SessionRequest.of(wanted), nowNs);
        phase = Phase.ASKED;
    }

    private int awaitGrant() {
        if (isToBeChecked && isProgramGone()) {
            end("the program has disconnected");
            return 1;
        }
        LinkFrame answer = link.peek(Lane.CALLS);
        if (answer != null) {
            onAnswer(answer);
            return 1;
        }
        if (link.state().hasEnded()) {
            refuse(link.reason());
            return 1;
        }
        return 0;
    }

    private void onAnswer(LinkFrame answer) {
        MemorySegment payload = answer.payload();
        if (answer.type() == SessionFrame.REFUSAL) {
            refuse(StandardCharsets.UTF_8.decode(payload.asByteBuffer()).toString());
            return;
        }
        if (answer.type() != SessionFrame.GRANT || answer.bytes() != AreaHeader.USED_BYTES) {
            throw new SessionException(
                    "answer: type=%d, bytes=%d, expected type=%d with %d bytes"
                            .formatted(
                                    answer.type(),
                                    answer.bytes(),
                                    SessionFrame.GRANT,
                                    AreaHeader.USED_BYTES));
        }
        area = new ProgramArea(payload, protocol);
        link.release(Lane.CALLS);
        wakeHost = WakeLine.create();
        wakeProgram = WakeLine.create();
        sleeper = area.area().hostSleeper();
        end =
                protocol == RingProtocol.CUDA
                        ? new CudaHostEnd(area.area(), link, wakeProgram::signal)
                        : new PvHostEnd(area.area(), link, wakeProgram::signal);
        MemorySegment welcome = arena.allocate(Welcome.BYTES, Long.BYTES);
        Welcome.to(protocol, area.area().layout().bytes()).write(welcome);
        // Descriptors in the order of [Welcome].
        int[] descriptors = {
            area.descriptor(), wakeHost.far().number(), wakeProgram.far().number()
        };
        if (program.send(welcome, 0, Welcome.BYTES, descriptors) != Welcome.BYTES) {
            end("the program has disconnected");
            return;
        }
        phase = Phase.OPEN;
        LOG.info("program {}: connected", number);
    }

    private int exchange(long nowNs) {
        int work = end.doWork(nowNs);
        link.flush(nowNs);
        if (isToBeChecked && isProgramGone()) {
            end("the program has disconnected");
            return 1;
        }
        // A frame whose bulk data were lost with the link can never be applied.
        boolean isExhausted = link.peek(Lane.CALLS) == null || work == 0 && !end.isStalled();
        if (link.state().hasEnded() && isExhausted) {
            end("the backend is gone: " + link.reason());
            return 1;
        }
        return work;
    }

    /// Returns whether the program has disconnected, or has sent a message after its `Hello`.
    private boolean isProgramGone() {
        isToBeChecked = false;
        return program.receive(hello, 0, Hello.BYTES) != FdSocket.NOTHING_YET;
    }

    private void refuse(String reason) {
        MemorySegment welcome = arena.allocate(Welcome.BYTES, Long.BYTES);
        Welcome.refused(protocol, reason).write(welcome);
        program.send(welcome, 0, Welcome.BYTES);
        end("not admitted: " + reason);
    }

    private void end(String reason) {
        LOG.info("program {}: ended: {}", number, reason);
        phase = Phase.ENDED;
        if (link != null) {
            link.close(reason);
        }
    }

    /// Announces to the program that the agent is about to sleep.
    void announce() {
        if (phase == Phase.OPEN) {
            sleeper.announce();
        }
    }

    /// Withdraws the announcement.
    void withdraw() {
        if (phase == Phase.OPEN) {
            sleeper.withdraw();
        }
    }

    /// Takes the signals of the descriptors of [#watch] after a wait.
    ///
    /// @param first first of the slots
    void takeSignals(EventWait events, int first) {
        isToBeChecked |= events.ready(first);
        if (phase == Phase.OPEN && events.ready(first + 1)) {
            wakeHost.drain();
        }
    }

    /// Sets the descriptors for whose events the session waits.
    ///
    /// @param first first of [#SLOTS] slots
    void watch(EventWait events, int first) {
        boolean isOpen = phase == Phase.OPEN;
        events.set(first, phase == Phase.ENDED ? Poller.NONE : program.descriptor());
        events.set(first + 1, isOpen ? wakeHost.descriptor() : Poller.NONE);
    }

    /// Returns the time until work becomes ready without an event.
    long nanosUntilWork(long nowNs) {
        return switch (phase) {
            case HELLO -> Math.max(0, sinceNs + HELLO_LIMIT_NS - nowNs);
            case OPEN -> end.nanosUntilWork(nowNs);
            case ASKED, ENDED -> Long.MAX_VALUE;
        };
    }

    /// Releases all resources, after the wait for the descriptors has ended.
    void close() {
        if (link != null) {
            link.close();
        }
        program.close();
        if (end != null) {
            end.close();
        }
        if (wakeHost != null) {
            wakeHost.close();
        }
        if (wakeProgram != null) {
            wakeProgram.close();
        }
        if (area != null) {
            area.close();
        }
        arena.close();
    }
}

package io.gpuvm.remote.session;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.remote.SocketOpening;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Session of a program on another host: a link, and a connection to the socket of the virtual
/// machine, of which the session is a guest.
///
/// ```text
///        link is up           admitted             program, link or backend gone
///  NEW ------------> ASKED -----------> OPEN ------------------------------------> ENDED
///   |                  |                                                             ^
///   +------------------+--- no such virtual machine, refused, link gone -------------+
/// ```
///
/// Confined to the gateway's thread.
final class GatewaySession {
    private static final Logger LOG = LoggerFactory.getLogger(GatewaySession.class);

    /// Minimum length of a program's data area.
    private static final long LEAST_BYTES = 64 << 10;

    private enum Phase {
        /// The link is being established.
        NEW,
        /// The virtual machine has been asked for a session.
        ASKED,
        OPEN,
        ENDED
    }

    private final Link link;
    private final Hello hello;
    private final Function<String, Path> sockets;
    private final LogLimit lines;
    private Phase phase = Phase.NEW;
    private SocketOpening opening;
    private SocketConnection connection;
    private Sleeper sleeper;
    private GuestEnd end;

    /// @param sockets returns the socket of a virtual machine, or throws a [TransportException]
    /// @param lines limit of log lines that peers can cause
    GatewaySession(Link link, Hello hello, Function<String, Path> sockets, LogLimit lines) {
        this.link = link;
        this.hello = hello;
        this.sockets = sockets;
        this.lines = lines;
    }

    /// Returns whether the session is one of a virtual machine.
    boolean isOf(String name) {
        return link.peerName().equals(name);
    }

    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /// @return amount of work done
    int doWork(long nowNs) {
        if (phase == Phase.ENDED) {
            return 0;
        }
        if (link.state().hasEnded()) {
            end("");
            return 1;
        }
        try {
            return switch (phase) {
                case NEW -> link.state() == LinkState.CONNECTING ? 0 : ask();
                case ASKED -> awaitAdmission();
                case OPEN -> exchange(nowNs);
                case ENDED -> 0;
            };
        } catch (TransportException | LinuxException e) {
            refuse(e.getMessage());
            return 1;
        } catch (SessionException e) {
            if (lines.spend()) {
                LOG.warn("{}: session ended: {}", link.peerName(), e.getMessage());
            }
            end(e.getMessage());
            return 1;
        } catch (RuntimeException e) {
            LOG.error("{}: internal error, session ended; others continue", link.peerName(), e);
            end("internal error of the gateway");
            return 1;
        }
    }

    private int ask() {
        boolean isWhole = hello.dataBytes() <= 0;
        opening =
                SocketOpening.begin(
                        sockets.apply(link.peerName()),
                        hello.protocol(),
                        isWhole ? 0 : hello.dataBytes() + reserved());
        phase = Phase.ASKED;
        return 1;
    }

    /// Returns the length of the gateway's own part of the data area.
    private long reserved() {
        return hello.protocol() == RingProtocol.CUDA ? ArgumentSpace.BYTES : 0;
    }

    private int awaitAdmission() {
        // A peer that is closing the link leaves no room.
        if (link.room(Lane.CALLS) < AreaHeader.USED_BYTES) {
            return 0;
        }
        connection = opening.advance();
        if (connection == null) {
            return 0;
        }
        SharedArea area = connection.area();
        long programBytes = area.layout().dataBytes() - reserved();
        if (programBytes < LEAST_BYTES) {
            throw new TransportException(
                    "data=%d bytes, expected at least %d over a network"
                            .formatted(area.layout().dataBytes(), reserved() + LEAST_BYTES));
        }
        end =
                hello.protocol() == RingProtocol.CUDA
                        ? new CudaGuestEnd(area, programBytes, link, connection::wakeHost)
                        : new PvGuestEnd(area, link, connection::wakeHost);
        sleeper = area.guestSleeper();
        grant(area, programBytes);
        phase = Phase.OPEN;
        LOG.info("{}: session over the network, link {}", link.peerName(), link.id());
        return 1;
    }

    private void grant(SharedArea area, long programBytes) {
        AreaLayout backend = area.layout();
        AreaLayout program =
                AreaLayout.of(
                        backend.channels(),
                        backend.submissionEntries(),
                        backend.completionEntries(),
                        programBytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(AreaHeader.BYTES, Long.BYTES);
            AreaHeader.write(header, hello.protocol(), program, area.limits());
            link.send(Lane.CALLS, SessionFrame.GRANT, header.asSlice(0, AreaHeader.USED_BYTES));
        }
    }

    private int exchange(long nowNs) {
        if (connection.lost() != null) {
            end("the session has ended at the backend");
            return 1;
        }
        int work = end.doWork(nowNs);
        link.flush(nowNs);
        return work;
    }

    private void refuse(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (text.length <= link.room(Lane.CALLS)) {
            link.send(Lane.CALLS, SessionFrame.REFUSAL, MemorySegment.ofArray(text));
        }
        end(reason);
    }

    private void end(String reason) {
        phase = Phase.ENDED;
        link.close(reason);
    }

    /// Announces to the backend that the gateway is about to sleep.
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

    /// Takes the signals of the descriptor of [#watch] after a wait.
    void takeSignals(EventWait events, int slot) {
        if (phase == Phase.OPEN && events.ready(slot)) {
            connection.sleep(0);
        }
    }

    /// Sets the descriptor for whose events the session waits.
    void watch(EventWait events, int slot) {
        events.set(
                slot,
                switch (phase) {
                    case ASKED -> opening.descriptor();
                    case OPEN -> connection.descriptor();
                    case NEW, ENDED -> Poller.NONE;
                });
    }

    /// Returns the time until work becomes ready without an event.
    long nanosUntilWork(long nowNs) {
        return phase == Phase.OPEN ? end.nanosUntilWork(nowNs) : Long.MAX_VALUE;
    }

    /// Releases all resources, after the wait for the descriptor has ended.
    void close() {
        link.close();
        if (end != null) {
            end.close();
        }
        if (connection != null) {
            connection.close();
        } else if (opening != null) {
            opening.close();
        }
    }
}

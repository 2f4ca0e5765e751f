package io.gpuvm.remote.link;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.TcpSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Establishes the connections of a link, again after each break.
final class Dialing {
    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private enum Stage {
        /// Waits for the time of the next attempt.
        WAITING(""),
        CONNECTING("to the request for a connection"),
        HANDSHAKE("in the handshake of TLS"),
        /// Waits for a credential.
        SEALING("to the request for a credential"),
        /// Waits for the identity of the link.
        READY(""),
        /// The lane owns the connection; it may wait for the welcome.
        ATTACHED("to the hello");

        /// Missing answer, for messages.
        final String awaited;

        Stage(String awaited) {
            this.awaited = awaited;
        }
    }

    /// Attempt to connect a lane.
    private static final class Dial {
        final Lane lane;
        Stage stage = Stage.WAITING;
        Connection connection;
        Sealing sealing;
        long deadlineNs;
        long retryNs;
        int attempts;

        Dial(Lane lane, long nowNs) {
            this.lane = lane;
            retryNs = nowNs;
        }
    }

    private final LinkDialer dialer;
    private final LinkLoop loop;
    private final byte[] request;
    private final Dial[] dials = new Dial[Lane.ALL.size()];

    Dialing(LinkDialer dialer, LinkLoop loop, byte[] request, long nowNs) {
        this.dialer = dialer;
        this.loop = loop;
        this.request = request.clone();
        for (Lane lane : Lane.ALL) {
            dials[lane.ordinal()] = new Dial(lane, nowNs);
        }
    }

    /// @return amount of work done
    int work(Link link, long nowNs) {
        int work = 0;
        for (Dial dial : dials) {
            Stage before = dial.stage;
            try {
                advance(link, dial, nowNs);
            } catch (ConnectionException e) {
                fail(link, dial, e, nowNs);
            } catch (LinuxException e) {
                fail(link, dial, ConnectionException.broken(e.getMessage()), nowNs);
            }
            if (link.state().hasEnded()) {
                return 1;
            }
            work += dial.stage == before ? 0 : 1;
        }
        return work;
    }

    long nanosUntilWork(Link link, long nowNs) {
        long nanos = Long.MAX_VALUE;
        for (Dial dial : dials) {
            boolean waits = dial.stage == Stage.READY || isOpen(link, dial);
            long at = dial.stage == Stage.WAITING ? dial.retryNs : dial.deadlineNs;
            nanos = waits ? nanos : Math.min(nanos, at - nowNs);
        }
        return nanos;
    }

    /// Called if a lane is open.
    void onOpen(Lane lane) {
        dials[lane.ordinal()].attempts = 0;
    }

    /// Called if a lane has lost its connection.
    void onBroken(Link link, Lane lane, ConnectionException e, long nowNs) {
        Dial dial = dials[lane.ordinal()];
        if (link.state() == LinkState.CONNECTING && e.isRefusal()) {
            link.lose(e.getMessage(), nowNs);
        } else {
            waitAndRetry(dial, nowNs);
        }
    }

    /// Requests a new link, because the peer no longer knows the identity of this link, which has
    /// never been up.
    void restart(Link link, long nowNs) {
        link.forgetKey(nowNs);
        for (Dial dial : dials) {
            drop(dial);
            waitAndRetry(dial, nowNs);
        }
    }

    void close() {
        for (Dial dial : dials) {
            drop(dial);
        }
    }

    private void advance(Link link, Dial dial, long nowNs) throws ConnectionException {
        if (dial.stage == Stage.WAITING && nowNs - dial.retryNs >= 0) {
            connect(dial, nowNs);
        }
        if (dial.stage == Stage.CONNECTING && dial.connection.wasReady()) {
            TcpSocket socket = dial.connection.socket();
            if (!socket.isConnected()) {
                throw ConnectionException.broken(socket.failure());
            }
            loop.watchForSpace(dial.connection, false);
            dial.stage = Stage.HANDSHAKE;
        }
        if (dial.stage == Stage.HANDSHAKE) {
            if (dial.connection.establish()) {
                loop.pause(dial.connection);
                dial.stage = dialer.seals() ? Stage.SEALING : Stage.READY;
                if (dialer.seals()) {
                    seal(dial);
                }
            } else {
                loop.watchHandshake(dial.connection);
            }
        }
        if (dial.stage == Stage.SEALING && dial.sealing != null) {
            if (dial.sealing.failure() != null) {
                throw ConnectionException.broken(dial.sealing.failure());
            }
            dial.stage = Stage.READY;
        }
        if (dial.stage == Stage.READY
                && (dial.lane == Lane.CALLS || link.key() != SessionKey.NONE)) {
            greet(link, dial, nowNs);
        }
        boolean waits = dial.stage == Stage.WAITING || dial.stage == Stage.READY;
        if (!waits && !isOpen(link, dial) && nowNs - dial.deadlineNs >= 0) {
            throw ConnectionException.broken(
                    "no answer %s within %d ms"
                            .formatted(dial.stage.awaited, loop.options().handshake().toMillis()));
        }
    }

    private void seal(Dial dial) throws ConnectionException {
        Connection connection = dial.connection;
        dial.sealing = null;
        dialer.seal(
                loop,
                connection,
                sealing -> {
                    // The connection may have broken, and another one may have its place.
                    if (dial.connection == connection) {
                        dial.sealing = sealing;
                    }
                });
    }

    private void connect(Dial dial, long nowNs) throws ConnectionException {
        dial.deadlineNs = nowNs + loop.options().handshake().toNanos();
        dial.attempts++;
        dial.connection = dialer.connect(loop, dial.attempts);
        dial.stage = Stage.CONNECTING;
        if (!loop.watch(dial.connection)) {
            throw ConnectionException.broken("too many connections");
        }
        loop.watchForSpace(dial.connection, true);
    }

    private void greet(Link link, Dial dial, long nowNs) throws ConnectionException {
        boolean isNew = link.key() == SessionKey.NONE;
        LinkLane lane = link.lane(dial.lane);
        Connection connection = dial.connection;
        byte[] content = isNew ? request : new byte[0];
        Greeting hello = lane.greeting(isNew, 0, link.key(), dialer.name(), content);
        if (dialer.seals()) {
            hello = hello.with(dial.sealing.credential());
        }
        int bytes = hello.write(loop.control().segment(), Wire.HEADER_BYTES);
        if (!loop.sendControl(connection, Wire.HELLO, bytes)) {
            throw ConnectionException.broken("no space for the hello");
        }
        loop.resume(connection);
        dial.connection = null;
        dial.stage = Stage.ATTACHED;
        dial.deadlineNs = nowNs + loop.options().handshake().toNanos();
        lane.attach(connection, nowNs);
    }

    private void fail(Link link, Dial dial, ConnectionException e, long nowNs) {
        boolean isAttached = dial.stage == Stage.ATTACHED;
        drop(dial);
        if (isAttached) {
            link.onBroken(link.lane(dial.lane), e, nowNs);
        } else {
            link.noteBreak(dial.lane, e);
            onBroken(link, dial.lane, e, nowNs);
        }
    }

    private void waitAndRetry(Dial dial, long nowNs) {
        dial.stage = Stage.WAITING;
        long pauseNs = 0;
        if (dial.attempts > 0) {
            int doublings = Math.min(dial.attempts - 1, 10);
            pauseNs = Math.min(FIRST_PAUSE_NS << doublings, LONGEST_PAUSE_NS);
            // Agents that a restart of the backend has disconnected do not return at once.
            pauseNs += ThreadLocalRandom.current().nextLong(pauseNs);
        }
        dial.retryNs = nowNs + pauseNs;
    }

    private void drop(Dial dial) {
        if (dial.connection != null) {
            loop.close(dial.connection);
            dial.connection = null;
        }
    }

    private static boolean isOpen(Link link, Dial dial) {
        return dial.stage == Stage.ATTACHED && link.lane(dial.lane).isOpen();
    }
}

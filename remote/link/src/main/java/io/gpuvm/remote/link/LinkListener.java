package io.gpuvm.remote.link;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.TcpListener;
import io.gpuvm.linux.TcpSocket;
import io.gpuvm.linux.agent.Pause;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts links. Confined to the thread of its loop.
///
/// A peer without a valid certificate or credential costs a socket, buffers of 80 KiB and a TLS
/// engine, until its time for the handshake has passed or another connection replaces it. The
/// buffers of a link are allocated after the certificate has been verified and the handler has
/// accepted the request.
public final class LinkListener extends LinkLoop.Member {
    private static final Logger LOG = LoggerFactory.getLogger(LinkListener.class);

    /// Maximum number of connections that a call accepts.
    private static final int MOST_ACCEPTED = 16;

    /// Pause after Linux has refused to accept a connection.
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Number of handshakes that may begin at once, and then per second: a flood of connections
    /// costs the loop's thread at most that much. Others wait in the kernel's queue.
    private static final int HANDSHAKE_BURST = 128;

    private static final int HANDSHAKES_PER_SECOND = 200;

    private final LinkLoop loop;
    private final LinkAddress address;
    private final Credentials credentials;

    /// Seal of the cluster, which attests clients without a certificate; null if every client needs
    /// a certificate.
    private final ClusterSeal seal;

    private final TlsTasks attesting;
    private final LinkHandler handler;
    private final TcpListener socket;
    private final SecureRandom random = new SecureRandom();
    private final List<PendingConnection> pending = new ArrayList<>();
    private final Map<SessionKey.Id, Link> links = new HashMap<>();
    private final Pause pause = new Pause(PAUSE_NS);
    private final FailedConnections failures = new FailedConnections();
    private final TokenBucket handshakes = new TokenBucket(HANDSHAKE_BURST, HANDSHAKES_PER_SECOND);
    private boolean ready;
    private boolean paused;
    private boolean done;
    private long replaced;
    private long dropped;

    private LinkListener(
            LinkLoop loop,
            LinkAddress address,
            Credentials credentials,
            ClusterSeal seal,
            LinkHandler handler,
            TcpListener socket) {
        this.loop = loop;
        this.address = address;
        this.credentials = credentials;
        this.seal = seal;
        attesting = seal == null ? null : TlsTasks.startForSeal();
        this.handler = handler;
        this.socket = socket;
    }

    /// Listens at an address, until [#close()] or the end of the loop.
    ///
    /// @param credentials certificates of this end, null if the address has no TLS
    /// @param seal seal of the cluster, whose credentials may replace certificates of clients; null
    ///   for none, and if the address has no TLS
    /// @throws IllegalArgumentException if the host of the address is unknown, or if an address
    ///   without TLS is not a loopback address
    /// @throws LinuxException if the address cannot be used
    public static LinkListener listen(
            LinkLoop loop,
            LinkAddress address,
            Credentials credentials,
            ClusterSeal seal,
            LinkHandler handler) {
        if (address.tls() != (credentials != null) || seal != null && !address.tls()) {
            throw new IllegalArgumentException(
                    "address=%s, expected credentials with TLS only".formatted(address));
        }
        InetSocketAddress at = address.resolve().getFirst();
        LinkListener listener =
                new LinkListener(loop, address, credentials, seal, handler, TcpListener.listen(at));
        loop.watch(listener, listener.socket.descriptor());
        loop.add(listener);
        return listener;
    }

    /// Returns the actual port.
    public int port() {
        return socket.address().getPort();
    }

    /// Returns the number of connections that others have replaced before their handshakes ended.
    public long replaced() {
        return replaced;
    }

    /// Returns the number of connections that were closed at once, because many earlier ones from
    /// their addresses have failed.
    public long dropped() {
        return dropped;
    }

    /// Accepts no more links, and refuses resumptions. Existing links continue until they break.
    public void close() {
        done = true;
    }

    @Override
    int work(long nowNs) {
        int work = 0;
        if (credentials != null && credentials.refresh(nowNs)) {
            endRevoked(nowNs);
        }
        if (paused && !pause.lasts(nowNs) && handshakes.permits(nowNs)) {
            paused = false;
            ready = true;
            loop.watch(this, socket.descriptor(), true);
        }
        for (int i = 0; ready && !paused && i < MOST_ACCEPTED; i++) {
            work += accept(nowNs);
        }
        for (int i = pending.size() - 1; i >= 0; i--) {
            work += work(pending.get(i), nowNs);
        }
        return work;
    }

    @Override
    long nanosUntilWork(long nowNs) {
        long nanos = ready && !paused ? 0 : Long.MAX_VALUE;
        if (paused) {
            long pauseNs = pause.lasts(nowNs) ? pause.nanosLeft(nowNs) : 0;
            nanos = Math.max(pauseNs, handshakes.nanosUntilPermit(nowNs));
        }
        for (PendingConnection one : pending) {
            nanos = Math.min(nanos, one.deadlineNs() - nowNs);
        }
        return credentials == null ? nanos : Math.min(nanos, credentials.nanosUntilCheck(nowNs));
    }

    @Override
    boolean isDone() {
        return done;
    }

    @Override
    void dispose() {
        done = true;
        while (!pending.isEmpty()) {
            drop(pending.getLast());
        }
        loop.forget(this);
        socket.close();
        if (attesting != null) {
            attesting.close();
        }
    }

    /// Called if connections may be waiting.
    void onReady() {
        ready = true;
    }

    private int accept(long nowNs) {
        TcpSocket accepted;
        try {
            accepted = socket.accept();
        } catch (LinuxException e) {
            if (loop.lines().spend()) {
                LOG.warn("{}: connections are not accepted: {}", address, e.getMessage());
            }
            pause.begin(nowNs);
            stopAccepting();
            return 0;
        }
        if (accepted == null) {
            ready = false;
            return 0;
        }
        if (!failures.permits(accepted.peer().getAddress(), nowNs)) {
            dropped++;
            accepted.close();
            return 1;
        }
        handshakes.take(nowNs);
        if (!handshakes.permits(nowNs)) {
            stopAccepting();
        }
        if (pending.size() >= loop.options().mostHandshakes()) {
            replaced++;
            PendingConnection oldest = oldestOfBusiest();
            failures.add(oldest.address(), nowNs);
            drop(oldest);
        }
        Connection connection;
        try {
            connection =
                    credentials == null
                            ? new PlainConnection(accepted)
                            : new TlsConnection(
                                    accepted, credentials.serverEngine(seal != null), loop);
        } catch (ConnectionException e) {
            accepted.close();
            return 1;
        }
        if (loop.watch(connection)) {
            long deadlineNs = nowNs + loop.options().handshake().toNanos();
            pending.add(new PendingConnection(connection, loop, deadlineNs));
        } else {
            connection.close();
        }
        return 1;
    }

    private void stopAccepting() {
        paused = true;
        loop.watch(this, socket.descriptor(), false);
    }

    /// Returns the oldest connection of the address that has most connections in handshakes, so
    /// that an address can replace the connections of others only if it has no more than they. As
    /// for failures, the addresses of an IPv6 network count as one.
    private PendingConnection oldestOfBusiest() {
        Map<InetAddress, Integer> counts = new HashMap<>();
        for (PendingConnection one : pending) {
            counts.merge(FailedConnections.hostOf(one.address()), 1, Integer::sum);
        }
        PendingConnection chosen = pending.getFirst();
        for (PendingConnection one : pending) {
            if (counts.get(FailedConnections.hostOf(one.address()))
                    > counts.get(FailedConnections.hostOf(chosen.address()))) {
                chosen = one;
            }
        }
        return chosen;
    }

    private int work(PendingConnection one, long nowNs) {
        try {
            if (one.attestation() == null) {
                Greeting hello = one.work();
                if (hello != null) {
                    onHello(one, hello, nowNs);
                    return 1;
                }
            } else if (one.attestation().isDone()) {
                pending.remove(one);
                one.close();
                admitAttested(one.connection(), one.attestation(), nowNs);
                return 1;
            }
            if (nowNs - one.deadlineNs() >= 0) {
                throw ConnectionException.broken(
                        "not identified within %d ms"
                                .formatted(loop.options().handshake().toMillis()));
            }
            return 0;
        } catch (ConnectionException e) {
            failures.add(one.address(), nowNs);
            log(one.connection(), e.getMessage());
            one.connection().finish();
            drop(one);
            return 1;
        } catch (ProtocolException e) {
            failures.add(one.address(), nowNs);
            pending.remove(one);
            one.close();
            refuse(one.connection(), new Refusal(Refusal.Kind.ENDED, e.getMessage()), nowNs);
            return 1;
        }
    }

    private void onHello(PendingConnection one, Greeting hello, long nowNs)
            throws ConnectionException {
        Connection connection = one.connection();
        if (seal != null && connection.certificate() == null) {
            Attestation attestation = new Attestation(hello, connection.binding());
            one.setAttestation(attestation);
            loop.pause(connection);
            loop.runTask(attesting, () -> attestation.run(seal), attestation::complete);
        } else {
            pending.remove(one);
            one.close();
            admit(connection, hello, nowNs);
        }
    }

    /// Admits a client whose user the cluster attests: the user of the virtual machine.
    private void admitAttested(Connection connection, Attestation attestation, long nowNs) {
        Greeting hello = attestation.hello();
        loop.resume(connection);
        String refusal = attestation.refusal();
        int owner = handler.userOf(hello.name());
        if (refusal == null && (owner == LinkHandler.NO_USER || owner != attestation.user())) {
            // The text does not reveal whether the virtual machine exists.
            refusal =
                    "user=%d has no virtual machine %s"
                            .formatted(Integer.toUnsignedLong(attestation.user()), hello.name());
        }
        if (refusal != null) {
            refuse(connection, new Refusal(Refusal.Kind.REFUSED, refusal), nowNs);
        } else {
            admit(connection, hello.name(), attestation.user(), hello, nowNs);
        }
    }

    private void admit(Connection connection, Greeting hello, long nowNs) {
        String name = hello.name();
        if (credentials != null) {
            name = Credentials.nameOf(connection.certificate());
            String invalid = credentials.refusalOf(connection.certificate());
            if (invalid != null) {
                failures.add(connection.socket().peer().getAddress(), nowNs);
                refuse(connection, new Refusal(Refusal.Kind.REFUSED, invalid), nowNs);
                return;
            }
        }
        admit(connection, name, LinkHandler.NO_USER, hello, nowNs);
    }

    private void admit(Connection connection, String name, int user, Greeting hello, long nowNs) {
        if (!VmName.isValid(name)) {
            refuse(
                    connection,
                    new Refusal(
                            Refusal.Kind.REFUSED,
                            "name=%s, expected %s".formatted(name, VmName.EXPECTED)),
                    nowNs);
        } else if (hello.isNew()) {
            admitNew(connection, name, user, hello, nowNs);
        } else {
            resume(connection, name, user, hello, nowNs);
        }
    }

    private void admitNew(
            Connection connection, String name, int user, Greeting hello, long nowNs) {
        links.values().removeIf(link -> link.state().hasEnded());
        LinkHandler.Decision decision;
        if (hello.lane() != Lane.CALLS) {
            decision = LinkHandler.Decision.refuse("a new link begins with its lane of calls");
        } else if (links.size() >= loop.options().mostLinks()) {
            decision =
                    LinkHandler.Decision.refuse(
                            "links=%d, limit=%d"
                                    .formatted(links.size(), loop.options().mostLinks()));
        } else {
            decision = handler.decide(name, hello.content());
        }
        if (!decision.isAccepted()) {
            refuse(connection, new Refusal(Refusal.Kind.REFUSED, decision.reason()), nowNs);
            return;
        }
        Link link;
        try {
            link = new Link(loop, name, null, SessionKey.create(random), nowNs);
        } catch (LinuxException e) {
            refuse(connection, new Refusal(Refusal.Kind.REFUSED, e.getMessage()), nowNs);
            return;
        }
        link.setCertificate(credentials == null ? null : connection.certificate());
        link.setUser(user);
        links.put(link.key().id(), link);
        connect(link, connection, hello, link.key(), decision.content(), nowNs);
        handler.onLink(link, hello.content());
    }

    private void resume(Connection connection, String name, int user, Greeting hello, long nowNs) {
        Link link = links.get(hello.key().id());
        // The secret is compared in any case, so that the time is the same.
        boolean hasSecret = (link == null ? SessionKey.NONE : link.key()).hasSecretOf(hello.key());
        if (link == null
                || link.state().hasEnded()
                || !hasSecret
                || !link.peerName().equals(name)
                || link.user() != user
                || done) {
            refuse(connection, Refusal.NO_SUCH_LINK, nowNs);
            return;
        }
        SessionKey id =
                new SessionKey(link.key().high(), link.key().low(), SessionKey.NONE.secret());
        connect(link, connection, hello, id, new byte[0], nowNs);
    }

    private void connect(
            Link link,
            Connection connection,
            Greeting hello,
            SessionKey key,
            byte[] content,
            long nowNs) {
        LinkLane lane = link.lane(hello.lane());
        // A half-open connection ends here: only the peer itself knows the secret.
        lane.detach(nowNs);
        int graceMs = (int) loop.options().grace().toMillis();
        Greeting welcome = lane.greeting(false, graceMs, key, "", content);
        int bytes = welcome.write(loop.control().segment(), Wire.HEADER_BYTES);
        try {
            boolean sent = loop.sendControl(connection, Wire.WELCOME, bytes);
            lane.attach(connection, nowNs);
            if (!sent) {
                throw ConnectionException.broken("no space for the welcome");
            }
            lane.open(hello);
        } catch (ConnectionException e) {
            link.onBroken(lane, e, nowNs);
        } catch (ProtocolException e) {
            link.end(new Refusal(Refusal.Kind.ENDED, e.getMessage()), nowNs);
        }
    }

    private void refuse(Connection connection, Refusal refusal, long nowNs) {
        log(connection, "refused: " + refusal.text());
        loop.sendRefusal(connection, refusal);
        loop.dismiss(connection, nowNs);
    }

    private void endRevoked(long nowNs) {
        for (Link link : links.values()) {
            if (!link.state().hasEnded()
                    && link.certificate() != null
                    && credentials.isRevoked(link.certificate())) {
                String text = credentials.refusalOf(link.certificate());
                link.end(new Refusal(Refusal.Kind.ENDED, text), nowNs);
            }
        }
    }

    private void drop(PendingConnection one) {
        pending.remove(one);
        one.close();
        loop.close(one.connection());
    }

    private void log(Connection connection, String what) {
        if (loop.lines().spend()) {
            LOG.warn("{}: connection from {}: {}", address, connection.socket().peer(), what);
        }
    }
}

package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.TcpSocket;
import io.gpuvm.remote.keys.KeyFolder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a listener with TLS and of an established link beside hostile peers.
class HostileTest {
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT
                    .withRings(1 << 19, 1 << 20)
                    .withConnect(Duration.ofSeconds(20), Duration.ofSeconds(2));

    /// Address of hostile peers; the agents use 127.0.0.1.
    private static final String ATTACKER = "127.0.0.2";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir static Path folder;
    private static Credentials backend;
    private static Credentials agent;

    @BeforeAll
    static void createKeys() {
        KeyFolder keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        agent = Credentials.read(keys.add("vm0", KeyFolder.LIFETIME));
        backend = Credentials.read(folder.resolve("keys/server"));
    }

    @Test
    void givenPeerWithoutCertificate_whenItConnects_thenItIsDropped() throws Exception {
        try (Ends ends = listen()) {
            Link neighbour = connect(ends);
            TlsConnection peer = open(ends, withoutCertificate());

            assertEnds(ends, peer, new byte[8192]);
            assertEquals(1, ends.accepted.size());
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    @Test
    void givenRightCertificate_whenPeerSendsGarbage_thenItIsDropped() throws Exception {
        try (Ends ends = listen()) {
            Link neighbour = connect(ends);
            byte[] garbage = new byte[4096];
            new Random(1).nextBytes(garbage);
            TlsConnection peer = open(ends, agent.clientEngine("127.0.0.1", ends.listener.port()));

            assertEnds(ends, peer, garbage);
            assertEquals(1, ends.accepted.size());
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    @Test
    void givenPeersThatSendNoTlsOrTooSlowly_whenTimeHasPassed_thenTheyAreDropped() {
        try (Ends ends = listen();
                RawPeer garbage = new RawPeer(ends.listener.port(), ATTACKER);
                RawPeer silent = new RawPeer(ends.listener.port(), ATTACKER);
                RawPeer slow = new RawPeer(ends.listener.port(), ATTACKER)) {
            Link neighbour = connect(ends);
            byte[] bytes = new byte[1000];
            new Random(2).nextBytes(bytes);
            garbage.bytes(bytes);
            // Header of a TLS record with a handshake message of 500 bytes.
            slow.bytes(new byte[] {22, 3, 1, 1, -12, 1, 0, 1, -16});
            ends.step = () -> slow.bytes(new byte[] {3});

            ends.await(garbage::hasEnded);
            ends.await(silent::hasEnded);
            ends.await(slow::hasEnded);
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    @Test
    void givenThousandConnections_whenAgentDials_thenItsLinkIsServed() throws IOException {
        List<SocketChannel> flood = new ArrayList<>();
        try (Ends ends = listen()) {
            Link neighbour = connect(ends);
            ends.step = () -> flood(ends.listener.port(), flood, 5);
            ends.await(() -> flood.size() >= 300);

            Link late = connect(ends);

            ends.await(() -> flood.size() >= 1000);
            ends.await(() -> ends.listener.replaced() + ends.listener.dropped() >= 300);
            assertTrue(ends.listener.dropped() > 0);
            assertEquals(LinkState.UP, late.state());
            assertEquals(LinkState.UP, neighbour.state());
        } finally {
            for (SocketChannel one : flood) {
                one.close();
            }
        }
    }

    /// Compares the throughput of a link alone and beside peers that begin handshakes without a
    /// certificate, in alternating intervals. The throughput is per second in which a processor
    /// runs the loops, because other processes use the processors, too.
    @Test
    @Tag("long")
    void givenFloodOfHandshakes_whenLinkTransfers_thenItKeepsMostOfItsThroughput()
            throws Exception {
        double[] alone = new double[9];
        double[] beside = new double[alone.length];
        try (Ends ends = listen()) {
            Link link = connect(ends);
            Link peer = ends.accepted.getFirst();
            transfer(ends, link, peer);
            try (Flood flood = new Flood(ends.listener.port())) {
                for (int i = 0; i < alone.length; i++) {
                    flood.active = false;
                    alone[i] = transfer(ends, link, peer);
                    flood.active = true;
                    beside[i] = transfer(ends, link, peer);
                }
                System.out.printf("handshakes begun=%d%n", flood.begun);
            }
        }
        Arrays.sort(alone);
        Arrays.sort(beside);
        double kept = beside[beside.length / 2] / alone[alone.length / 2];
        System.out.printf(
                "MiB/s alone=%.1f (%.1f to %.1f) beside=%.1f (%.1f to %.1f) kept=%.2f%n",
                alone[alone.length / 2],
                alone[0],
                alone[alone.length - 1],
                beside[beside.length / 2],
                beside[0],
                beside[beside.length - 1],
                kept);
        assertTrue(kept >= 0.85, () -> "kept=" + kept);
    }

    /// Thread that opens connections, sends the begin of a handshake, and leaves.
    private static final class Flood implements AutoCloseable {
        volatile boolean active;
        volatile boolean ended;
        volatile long begun;
        private final Thread thread;

        Flood(int port) {
            thread = Thread.ofPlatform().start(() -> run(port));
        }

        private void run(int port) {
            List<Socket> open = new ArrayList<>();
            try {
                byte[] hello = clientHello();
                while (!ended) {
                    if (!active || open.size() >= 1000) {
                        for (Socket one : open) {
                            one.close();
                        }
                        open.clear();
                        Thread.sleep(1);
                        continue;
                    }
                    Socket socket = new Socket();
                    socket.bind(new InetSocketAddress(ATTACKER, 0));
                    socket.connect(new InetSocketAddress("127.0.0.1", port));
                    socket.getOutputStream().write(hello);
                    open.add(socket);
                    begun++;
                    Thread.sleep(1);
                }
            } catch (IOException | GeneralSecurityException | InterruptedException e) {
                e.printStackTrace();
            }
        }

        private static byte[] clientHello() throws GeneralSecurityException, IOException {
            SSLEngine engine = withoutCertificate();
            engine.beginHandshake();
            ByteBuffer out = ByteBuffer.allocate(40_000);
            engine.wrap(ByteBuffer.allocate(0), out);
            return Arrays.copyOf(out.array(), out.position());
        }

        @Override
        public void close() {
            ended = true;
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// @return MiB per processor second of the calling thread
    private static double transfer(Ends ends, Link link, Link peer) {
        MemorySegment data = MemorySegment.ofArray(new byte[128 * 1024]);
        long[] sent = new long[1];
        long[] received = new long[1];
        long startNs = THREADS.getCurrentThreadCpuTime();
        long total = 64 << 20;
        ends.await(() -> {
            while (sent[0] < total && link.room(Lane.BULK) >= data.byteSize()) {
                link.send(Lane.BULK, 1, data);
                sent[0] += data.byteSize();
            }
            while (peer.peek(Lane.BULK) != null) {
                received[0] += peer.peek(Lane.BULK).bytes();
                peer.release(Lane.BULK);
            }
            return received[0] == total;
        });
        return (total >> 20) / ((THREADS.getCurrentThreadCpuTime() - startNs) / 1e9);
    }

    private static void flood(int port, List<SocketChannel> flood, int count) {
        try {
            for (int i = 0; i < count && flood.size() < 1000; i++) {
                SocketChannel one = SocketChannel.open();
                flood.add(one);
                one.bind(new InetSocketAddress(ATTACKER, 0));
                one.configureBlocking(false);
                one.connect(new InetSocketAddress("127.0.0.1", port));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Begins a connection of the agent's loop, and waits for the end of its handshake.
    private static TlsConnection open(Ends ends, SSLEngine engine) throws ConnectionException {
        InetSocketAddress at = new InetSocketAddress("127.0.0.1", ends.listener.port());
        TlsConnection connection = new TlsConnection(TcpSocket.connect(at), engine, ends.agent);
        ends.agent.watch(connection);
        ends.await(() -> {
            try {
                return connection.socket().isConnected() && connection.establish();
            } catch (ConnectionException e) {
                throw new AssertionError(e);
            }
        });
        return connection;
    }

    /// Sends bytes, and waits until the backend has closed the connection.
    private static void assertEnds(Ends ends, TlsConnection peer, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            NativeBytes memory = NativeBytes.allocate(arena, 32 * 1024);
            memory.segment().copyFrom(MemorySegment.ofArray(bytes));
            boolean[] sent = new boolean[1];
            ends.await(() -> {
                try {
                    if (!sent[0]) {
                        sent[0] = true;
                        peer.send(memory, 0, bytes.length);
                    }
                    peer.flush();
                    while (peer.receive(memory, 0, 32 * 1024) > 0) {
                        // The refusal.
                    }
                    return false;
                } catch (ConnectionException _) {
                    return true;
                }
            });
        }
    }

    private static Link connect(Ends ends) {
        return ends.connect(() -> ends.dialTls(ends.listener.port(), agent));
    }

    private static Ends listen() {
        return new Ends(OPTIONS, LinkAddress.parse("tls:127.0.0.1:0"), backend);
    }

    private static SSLEngine withoutCertificate() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new TrustAll()}, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        return engine;
    }
}

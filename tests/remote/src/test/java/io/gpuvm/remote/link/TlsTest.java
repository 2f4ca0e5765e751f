package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.remote.keys.KeyFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the certificates of both ends.
class TlsTest {
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19);
    private static final int FRAGMENTS = 100;

    @TempDir Path folder;
    private KeyFolder keys;
    private Credentials backend;

    @BeforeEach
    void createKeys() {
        keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("localhost", "127.0.0.1"), KeyFolder.LIFETIME);
        backend = Credentials.read(folder.resolve("keys/server"));
    }

    @Test
    void givenCertificate_whenLinkIsDialled_thenItsNameIsPeer() {
        Credentials agent = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        try (Ends ends = listen()) {
            ends.connect(() -> ends.dialTls(ends.listener.port(), agent));

            assertEquals("vm7", ends.accepted.getFirst().peerName());
        }
    }

    @Test
    void givenTwoAgentsWithOneCertificate_whenBothDial_thenBothAreServed() {
        Credentials agent = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        try (Ends ends = listen()) {
            Link first = ends.connect(() -> ends.dialTls(ends.listener.port(), agent));
            Link second = ends.connect(() -> ends.dialTls(ends.listener.port(), agent));
            ends.workFor(Duration.ofMillis(100));

            assertEquals(LinkState.UP, first.state());
            assertEquals(LinkState.UP, second.state());
            assertEquals(List.of("vm7", "vm7"), ends.names);
        }
    }

    @Test
    void givenCertificateOfOtherAuthority_whenLinkIsDialled_thenBothEndsRefuse() {
        KeyFolder other = new KeyFolder(folder.resolve("other"), Clock.systemUTC());
        other.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        Credentials agent = Credentials.read(other.add("vm7", KeyFolder.LIFETIME));

        assertRefused(agent, "trust anchors");
    }

    @Test
    void givenBackendWithOtherName_whenLinkIsDialled_thenAgentRefuses() {
        KeyFolder elsewhere = new KeyFolder(folder.resolve("elsewhere"), Clock.systemUTC());
        elsewhere.init(List.of("gpu.example"), KeyFolder.LIFETIME);
        backend = Credentials.read(folder.resolve("elsewhere/server"));
        Credentials agent = Credentials.read(elsewhere.add("vm7", KeyFolder.LIFETIME));

        assertRefused(agent, "127.0.0.1");
    }

    @Test
    void givenExpiredCertificate_whenLinkIsDialled_thenReasonIsExpiry() {
        Clock past = Clock.fixed(Instant.now().minus(Duration.ofDays(9)), ZoneOffset.UTC);
        Credentials agent =
                Credentials.read(
                        new KeyFolder(folder.resolve("keys"), past).add("vm7", Duration.ofDays(1)));

        assertRefused(agent, "the certificate of vm7 expired at");
    }

    @Test
    void givenRevokedCertificate_whenLinkIsDialled_thenReasonIsRevocation() {
        Credentials agent = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        keys.revoke("vm7");
        backend = Credentials.read(folder.resolve("keys/server"));

        assertRefused(agent, "the certificate of vm7 is revoked");
    }

    @Test
    void givenListOfRevokedCertificates_whenItDisappears_thenItStaysValid() throws IOException {
        Credentials agent = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        keys.revoke("vm7");
        backend = Credentials.read(folder.resolve("keys/server"));
        Files.delete(folder.resolve("keys/server").resolve(Credentials.REVOKED));

        assertFalse(backend.refresh(System.nanoTime()));
        assertRefused(agent, "the certificate of vm7 is revoked");
    }

    @Test
    void givenCertificateOfBackend_whenUsedByAgent_thenItIsRefused() {
        assertRefused(Credentials.read(folder.resolve("keys/server")), "TLS");
    }

    @Test
    void givenLink_whenItsCertificateIsRevoked_thenLinkIsLostAndOthersContinue() {
        Credentials seven = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        Credentials eight = Credentials.read(keys.add("vm8", KeyFolder.LIFETIME));
        try (Ends ends = listen()) {
            Link revoked = ends.connect(() -> ends.dialTls(ends.listener.port(), seven));
            Link other = ends.connect(() -> ends.dialTls(ends.listener.port(), eight));

            assertEquals(1, keys.revoke("vm7"));

            ends.await(() -> revoked.state() == LinkState.LOST);
            assertEquals("the certificate of vm7 is revoked", revoked.reason());
            assertEquals(LinkState.LOST, ends.accepted.getFirst().state());
            assertEquals(LinkState.UP, other.state());
        }
    }

    @Test
    void givenRenewedCertificates_whenBackendReadsThem_thenOldAndNewAgentsConnect() {
        Credentials before = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        try (Ends ends = listen()) {
            keys.renew(KeyFolder.SERVER, KeyFolder.LIFETIME);
            Credentials after = Credentials.read(keys.renew("vm7", KeyFolder.LIFETIME));
            ends.workFor(Duration.ofMillis(1200));

            ends.connect(() -> ends.dialTls(ends.listener.port(), before));
            ends.connect(() -> ends.dialTls(ends.listener.port(), after));
        }
    }

    @Test
    void givenPeerWithoutCertificate_whenItSendsManyFragments_thenItsConnectionIsDropped() {
        // The connection must not end because of the limit of time.
        LinkOptions patient = OPTIONS.withConnect(Duration.ofSeconds(90), Duration.ofSeconds(90));
        try (Ends ends = new Ends(patient, LinkAddress.parse("tls:127.0.0.1:0"), backend)) {
            int port = ends.listener.port();
            CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> sendFragments(port));

            ends.await(ended::isDone);

            ended.join();
        }
    }

    /// Sends the beginning of a long message of a handshake, one byte in each record, and waits for
    /// the end of the connection.
    private static void sendFragments(int port) {
        try (Socket raw = new Socket("127.0.0.1", port)) {
            // Type of a hello, its length (3 bytes, big-endian), and zeros.
            byte[] message = new byte[FRAGMENTS];
            message[0] = 1;
            message[2] = 0x70;
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            for (byte one : message) {
                records.writeBytes(new byte[] {22, 3, 1, 0, 1, one});
            }
            raw.getOutputStream().write(records.toByteArray());
            awaitEnd(raw);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitEnd(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // The backend has reset the connection.
        }
    }

    private void assertRefused(Credentials agent, String reason) {
        try (Ends ends = listen()) {
            Link link = ends.dialTls(ends.listener.port(), agent);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains(reason), link::reason);
            assertTrue(ends.accepted.isEmpty());
        }
    }

    private Ends listen() {
        return new Ends(OPTIONS, LinkAddress.parse("tls:127.0.0.1:0"), backend);
    }
}

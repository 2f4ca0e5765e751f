package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.remote.keys.KeyFolder;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of credentials that replace certificates of clients.
class SealTest {
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19);
    private static final int USER = 1000;
    private static final int OTHER_USER = 1001;

    @TempDir Path folder;
    private KeyFolder keys;
    private Credentials authority;
    private final SharedSecretSeal seal = new SharedSecretSeal("cluster", USER);

    @BeforeEach
    void createKeys() {
        keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        authority = Credentials.readAuthority(folder.resolve("keys"));
    }

    @Test
    void givenCredentialOfUser_whenLinkIsDialled_thenNameIsPeer() {
        try (Ends ends = listen(seal);
                LinkDialer dialer = dialer(ends.listener.port(), "job-7", seal)) {
            ends.connect(() -> dial(ends, dialer));

            assertEquals("job-7", ends.accepted.getFirst().peerName());
        }
    }

    @Test
    void givenCertificate_whenListenerAcceptsCredentials_thenCertificateSuffices() {
        Credentials agent = Credentials.read(keys.add("vm7", KeyFolder.LIFETIME));
        try (Ends ends = listen(seal)) {
            ends.connect(() -> ends.dialTls(ends.listener.port(), agent));

            assertEquals("vm7", ends.accepted.getFirst().peerName());
        }
    }

    @Test
    void givenCredentialOfOtherUser_whenLinkIsDialled_thenItIsRefused() {
        seal.user = OTHER_USER;

        assertRefused(seal, "job-7", "user=1001 has no virtual machine job-7");
    }

    @Test
    void givenVirtualMachineWithoutUser_whenLinkIsDialled_thenItIsRefused() {
        assertRefused(seal, "job-8", "user=1000 has no virtual machine job-8");
    }

    @Test
    void givenNumberOfNoUser_whenVirtualMachineHasNoUser_thenLinkIsRefused() {
        seal.user = LinkHandler.NO_USER;

        assertRefused(seal, "job-8", "has no virtual machine job-8");
    }

    @Test
    void givenSealOfOtherCluster_whenLinkIsDialled_thenItIsRefused() {
        assertRefused(new SharedSecretSeal("other", USER), "job-7", "invalid credential");
    }

    @Test
    void givenCredentialOfOtherConnection_whenItIsPresented_thenItIsRefused() {
        try (Ends ends = listen(seal);
                LinkDialer dialer = dialer(ends.listener.port(), "job-7", seal)) {
            ends.connect(() -> dial(ends, dialer));
        }
        ClusterSeal thief =
                new ClusterSeal() {
                    private final String stolen = seal.last;

                    @Override
                    public String seal(byte[] payload) {
                        return stolen;
                    }

                    @Override
                    public Opened open(String credential) throws SealException {
                        return seal.open(credential);
                    }
                };

        assertRefused(thief, "job-7", "the credential is for another connection");
    }

    @Test
    void givenNoCertificate_whenListenerAcceptsNoCredentials_thenTlsRefuses() {
        try (Ends ends = listen(null);
                LinkDialer dialer = dialer(ends.listener.port(), "job-7", seal)) {
            Link link = dial(ends, dialer);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(ends.accepted.isEmpty());
        }
    }

    @Test
    void givenNeitherCertificateNorCredential_whenHelloArrives_thenItIsRefused() {
        ClusterSeal silent =
                new ClusterSeal() {
                    @Override
                    public String seal(byte[] payload) {
                        return "";
                    }

                    @Override
                    public Opened open(String credential) throws SealException {
                        throw new SealException("not called");
                    }
                };

        assertRefused(silent, "job-7", "neither a certificate nor a credential was presented");
    }

    @Test
    void givenBrokenLink_whenItsUserResumes_thenLinkIsUp() {
        try (Ends ends = listen(seal);
                FaultyRelay relay = new FaultyRelay(ends.listener.port(), 1);
                LinkDialer dialer = dialer(relay.port(), "job-7", seal)) {
            relay.setFaulty(false);
            ends.step = relay::work;
            Link link = ends.connect(() -> dial(ends, dialer));

            relay.failAll(FaultyRelay.Fault.RESET);

            ends.await(() -> link.state() == LinkState.BROKEN);
            ends.await(() -> link.state() == LinkState.UP);
        }
    }

    @Test
    void givenBrokenLink_whenOtherUserWithSecretResumes_thenLinkIsUnknown() {
        try (Ends ends = listen(seal);
                FaultyRelay relay = new FaultyRelay(ends.listener.port(), 1);
                LinkDialer dialer = dialer(relay.port(), "job-7", seal)) {
            relay.setFaulty(false);
            ends.step = relay::work;
            Link link = ends.connect(() -> dial(ends, dialer));

            seal.user = OTHER_USER;
            ends.users.put("job-7", OTHER_USER);
            relay.failAll(FaultyRelay.Fault.RESET);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains(Refusal.NO_SUCH_LINK.text()), link::reason);
        }
    }

    private void assertRefused(ClusterSeal of, String name, String reason) {
        try (Ends ends = listen(seal);
                LinkDialer dialer = dialer(ends.listener.port(), name, of)) {
            Link link = dial(ends, dialer);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains(reason), link::reason);
            assertTrue(ends.accepted.isEmpty());
        }
    }

    private Ends listen(ClusterSeal of) {
        Credentials backend = Credentials.read(folder.resolve("keys/server"));
        Ends ends = new Ends(OPTIONS, OPTIONS, LinkAddress.parse("tls:127.0.0.1:0"), backend, of);
        ends.users.put("job-7", USER);
        return ends;
    }

    private LinkDialer dialer(int port, String name, ClusterSeal of) {
        return LinkDialer.withSeal(LinkAddress.parse("tls:127.0.0.1:" + port), authority, name, of);
    }

    private static Link dial(Ends ends, LinkDialer dialer) {
        return dialer.dial(ends.agent, new byte[0], System.nanoTime());
    }
}

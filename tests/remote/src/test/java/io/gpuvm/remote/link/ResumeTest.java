package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Tests of resumption: its identity, its limits of time, and its end.
class ResumeTest {
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT
                    .withRings(1 << 19, 1 << 19)
                    .withConnect(Duration.ofSeconds(20), Duration.ofSeconds(2));

    @Test
    void givenWrongSecretOrNameOrIdentifier_whenLaneIsResumed_thenTextIsTheSame()
            throws ProtocolException {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer calls = new RawPeer(ends.listener.port())) {
            SessionKey key = open(ends, calls);
            byte[] otherSecret = key.secret().clone();
            otherSecret[31] ^= 1;

            String wrongSecret =
                    refusal(ends, new SessionKey(key.high(), key.low(), otherSecret), "vm0");
            String wrongName = refusal(ends, key, "vm1");
            String wrongId =
                    refusal(ends, new SessionKey(key.high(), key.low() ^ 1, key.secret()), "vm0");

            assertEquals(Refusal.NO_SUCH_LINK.text(), wrongSecret);
            assertEquals(wrongSecret, wrongName);
            assertEquals(wrongSecret, wrongId);
            assertEquals(LinkState.UP, ends.accepted.getFirst().state());
        }
    }

    @Test
    void givenLaneThatSeemsAlive_whenPeerResumesWithSecret_thenNewConnectionReplacesIt()
            throws ProtocolException {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer calls = new RawPeer(ends.listener.port());
                RawPeer again = new RawPeer(ends.listener.port())) {
            SessionKey key = open(ends, calls);
            ends.accepted.getFirst().send(Lane.CALLS, 3, MemorySegment.ofArray(new byte[5]));
            ends.await(() -> calls.first(Wire.DATA) != null);

            again.send(RawPeer.resume(Lane.CALLS, key, "vm0"));

            ends.await(calls::hasEnded);
            // The frame was not acknowledged, so the backend repeats it.
            ends.await(() -> again.first(Wire.DATA) != null);
            assertEquals(LinkState.UP, ends.accepted.getFirst().state());
        }
    }

    @Test
    void givenSilentConnections_whenTimePasses_thenBothEndsDetectBreakWithinTenSeconds() {
        try (VirtualEnds ends = new VirtualEnds(LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19))) {
            ends.relay.setAccepting(false);
            ends.relay.failAll(FaultyRelay.Fault.SILENCE);

            long brokenMs =
                    ends.passUntil(() ->
                            ends.link.state() == LinkState.BROKEN
                                    && ends.peer.state() == LinkState.BROKEN);

            assertTrue(brokenMs <= 10_000, () -> "detected after ms=" + brokenMs);
        }
    }

    @Test
    void givenIdleLink_whenMinutesPass_thenLinkStaysUp() {
        try (VirtualEnds ends = new VirtualEnds(LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19))) {
            ends.pass(Duration.ofMinutes(3));

            assertEquals(LinkState.UP, ends.link.state());
            assertEquals(LinkState.UP, ends.peer.state());
            assertEquals("", ends.link.reason());
        }
    }

    @Test
    void givenBreak_whenGraceTimePasses_thenBothEndsLoseLink() {
        LinkOptions options =
                LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19).withGrace(Duration.ofSeconds(30));
        try (VirtualEnds ends = new VirtualEnds(options)) {
            ends.relay.close();

            ends.pass(Duration.ofSeconds(29));
            assertEquals(LinkState.BROKEN, ends.link.state());
            assertEquals(LinkState.BROKEN, ends.peer.state());
            ends.pass(Duration.ofSeconds(3));

            assertEquals(LinkState.LOST, ends.link.state());
            assertEquals(LinkState.LOST, ends.peer.state());
            assertTrue(ends.link.reason().startsWith("broken for"), ends.link::reason);
        }
    }

    @Test
    void givenBackendWithoutLink_whenAgentResumes_thenLinkIsLostAtOnce() {
        try (Ends ends = Ends.plain(OPTIONS);
                Ends restarted = Ends.plain(OPTIONS);
                FaultyRelay relay = new FaultyRelay(ends.listener.port(), 1)) {
            relay.setFaulty(false);
            ends.step = relay::work;
            Link link = ends.connect(() -> ends.dialPlain(relay.port(), "vm0"));

            relay.setTarget(restarted.listener.port());
            ends.step =
                    () -> {
                        relay.work();
                        restarted.work();
                    };
            relay.failAll(FaultyRelay.Fault.RESET);

            ends.await(() -> link.state() == LinkState.LOST);
            assertEquals(Refusal.NO_SUCH_LINK.text(), link.reason());
        }
    }

    @Test
    void givenHalfOpenedLink_whenAgentDisappears_thenBackendDropsItWithoutGrace() {
        try (Ends ends = Ends.plain(OPTIONS)) {
            try (RawPeer calls = new RawPeer(ends.listener.port())) {
                calls.send(RawPeer.hello("vm0"));
                ends.await(() -> calls.first(Wire.WELCOME) != null);
            }

            ends.await(() -> ends.accepted.getFirst().state() == LinkState.LOST);
        }
    }

    /// Opens both lanes of a link with the peer as its lane of calls.
    private static SessionKey open(Ends ends, RawPeer calls) throws ProtocolException {
        calls.send(RawPeer.hello("vm0"));
        ends.await(() -> calls.first(Wire.WELCOME) != null);
        SessionKey key = calls.key();
        RawPeer bulk = new RawPeer(ends.listener.port());
        bulk.send(RawPeer.resume(Lane.BULK, key, "vm0"));
        ends.await(() -> bulk.first(Wire.WELCOME) != null);
        ends.await(() -> ends.accepted.getLast().state() == LinkState.UP);
        return key;
    }

    private static String refusal(Ends ends, SessionKey key, String name) throws ProtocolException {
        try (RawPeer peer = new RawPeer(ends.listener.port())) {
            peer.send(RawPeer.resume(Lane.CALLS, key, name));
            ends.await(() -> peer.first(Wire.REFUSED) != null);
            assertNotNull(peer.first(Wire.REFUSED));
            return peer.refusal();
        }
    }

    /// A host that drops packets, and a service of another kind, look like that.
    @Test
    void givenPeerThatNeverAnswers_whenAgentDials_thenItTriesAgainAndLinkIsLostWithReason()
            throws IOException {
        LinkOptions options =
                LinkOptions.DEFAULT.withConnect(Duration.ofSeconds(3), Duration.ofMillis(300));
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Ends ends = Ends.plain(options)) {
            Link link = ends.dialPlain(silent.getLocalPort(), "vm0");

            ends.await(() -> link.state() == LinkState.LOST);

            assertEquals(
                    "not connected within 3000 ms: lane calls: no answer to the hello within 300 ms",
                    link.reason());
            for (int attempt = 0; attempt < 2; attempt++) {
                silent.accept().close();
            }
        }
    }
}

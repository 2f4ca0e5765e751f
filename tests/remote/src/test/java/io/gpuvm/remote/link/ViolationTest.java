package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that a peer that violates the protocol ends only its own link, and learns the reason.
class ViolationTest {
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT
                    .withRings(1 << 19, 1 << 19)
                    .withConnect(Duration.ofSeconds(20), Duration.ofSeconds(2));

    private static final byte[] NONE = {};

    private static final int BATCHES = 40;
    private static final int BATCH_FRAMES = 20;
    private static final int PAYLOAD_BYTES = 1000;

    static Stream<Arguments> violations() {
        return Stream.of(
                violation("frame bytes=262145, limit=262144", p -> p.frame(0, 0, 262_145, NONE)),
                violation("frame bytes=4294967295, limit=262144", p -> p.frame(0, 0, -1, NONE)),
                violation("frame bytes=8193, limit=8192", p -> p.frame(Wire.STATUS, 0, 8193, NONE)),
                violation("kind of frame=2", p -> p.frame(2, 0, 0, NONE)),
                violation("kind of frame=255", p -> p.frame(255, 0, 0, NONE)),
                violation("flags of frame=0x2", p -> p.frame(0, 2, 0, NONE)),
                violation("flags of frame=0x1", p -> p.frame(Wire.STATUS, 1, 0, NONE)),
                violation("compressed frame bytes=0", p -> p.frame(0, 1, 0, NONE)),
                violation("status bytes=8", p -> p.frame(Wire.STATUS, 0, 8, new byte[8])),
                violation("control frame of kind 16", p -> p.send(RawPeer.hello("vm0"))),
                violation("unexpected welcome", ViolationTest::sendWelcome),
                violation("acknowledged position=8, expected 0 to 0", p -> p.status(8, 1 << 19)),
                violation("acknowledged position=-8", p -> p.status(-8, 1 << 19)),
                violation("position limit=524280, expected", p -> p.status(0, (1 << 19) - 8)));
    }

    private static Arguments violation(String reason, Consumer<RawPeer> action) {
        return Arguments.of(reason, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void givenLink_whenPeerViolatesProtocol_thenOnlyItsLinkIsLostWithReason(
            String reason, Consumer<RawPeer> action) throws ProtocolException {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer peer = new RawPeer(ends.listener.port())) {
            Link neighbour = ends.connect(() -> ends.dialPlain("vm1"));
            peer.send(RawPeer.hello("vm0"));
            ends.await(() -> peer.first(Wire.WELCOME) != null);

            action.accept(peer);

            Link link = ends.accepted.getLast();
            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains(reason), link::reason);
            ends.await(() -> peer.first(Wire.REFUSED) != null);
            assertTrue(peer.refusal().contains(reason), link::reason);
            ends.await(peer::hasEnded);
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    @Test
    void givenPeerThatIgnoresCredits_whenItSendsMore_thenItsLinkIsLost() {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer peer = new RawPeer(ends.listener.port())) {
            peer.send(RawPeer.hello("vm0"));
            ends.await(() -> peer.first(Wire.WELCOME) != null);
            Link link = ends.accepted.getLast();
            byte[] payload = new byte[32 * 1024 - Wire.HEADER_BYTES];

            ends.step = () -> peer.frame(Wire.DATA, 0, payload.length, payload);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().startsWith("position="), link::reason);
            assertTrue(link.reason().contains("limit=393216"), link::reason);
        }
    }

    @Test
    void givenFrameInFlight_whenPeerAcknowledgesPartOfIt_thenLinkIsLost() throws Exception {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer calls = new RawPeer(ends.listener.port());
                RawPeer bulk = new RawPeer(ends.listener.port())) {
            calls.send(RawPeer.hello("vm0"));
            ends.await(() -> calls.first(Wire.WELCOME) != null);
            bulk.send(RawPeer.resume(Lane.BULK, calls.key(), "vm0"));
            Link link = ends.accepted.getLast();
            ends.await(() -> link.state() == LinkState.UP);
            link.send(Lane.CALLS, 1, MemorySegment.ofArray(new byte[100]));
            ends.await(() -> calls.first(Wire.DATA) != null);

            calls.status(16, 1 << 19);

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains("boundary of frames"), link::reason);
        }
    }

    @Test
    void givenControlFramesBetweenDataFrames_whenTheyArriveTogether_thenDataIsInOrder()
            throws Exception {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer calls = new RawPeer(ends.listener.port());
                RawPeer bulk = new RawPeer(ends.listener.port())) {
            calls.send(RawPeer.hello("vm0"));
            ends.await(() -> calls.first(Wire.WELCOME) != null);
            bulk.send(RawPeer.resume(Lane.BULK, calls.key(), "vm0"));
            Link link = ends.accepted.getLast();
            ends.await(() -> link.state() == LinkState.UP);
            ByteBuffer status = ByteBuffer.allocate(Wire.STATUS_BYTES);
            status.order(ByteOrder.LITTLE_ENDIAN).putLong(0).putLong(1 << 19);
            byte[] report = RawPeer.frameOf(Wire.STATUS, 0, Wire.STATUS_BYTES, status.array());

            // More than the ring holds, so that batches wrap around its end.
            for (int batch = 0; batch < BATCHES; batch++) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int i = 0; i < BATCH_FRAMES; i++) {
                    for (int j = 0; j <= i % 3; j++) {
                        bytes.writeBytes(report);
                    }
                    byte[] payload = new byte[PAYLOAD_BYTES + 8 * i];
                    Arrays.fill(payload, (byte) (batch + i));
                    bytes.writeBytes(RawPeer.frameOf(Wire.DATA, 0, payload.length, payload));
                }
                calls.bytes(bytes.toByteArray());
                for (int i = 0; i < BATCH_FRAMES; i++) {
                    ends.await(() -> link.peek(Lane.CALLS) != null);
                    byte[] expected = new byte[PAYLOAD_BYTES + 8 * i];
                    Arrays.fill(expected, (byte) (batch + i));
                    assertArrayEquals(expected, link.peek(Lane.CALLS).payload().toArray(Wire.U8));
                    link.release(Lane.CALLS);
                }
            }
        }
    }

    static Stream<Arguments> badHellos() {
        return Stream.of(
                violation(
                        "first frame kind=72", p -> p.bytes(text("GET / HTTP/1.1\r\nHost: a\r\n"))),
                violation("first frame kind=0", p -> p.frame(0, 0, 8, new byte[8])),
                violation("greeting bytes=8", p -> p.frame(Wire.HELLO, 0, 8, new byte[8])),
                violation("magic=0x0", p -> p.frame(Wire.HELLO, 0, 200, new byte[200])),
                violation("with at most 8192", p -> p.frame(Wire.HELLO, 0, 8193, NONE)),
                violation("name=, expected", p -> p.send(RawPeer.hello(""))),
                violation("name=a b, expected", p -> p.send(RawPeer.hello("a b"))),
                violation(
                        "bytes before the welcome",
                        p -> {
                            p.send(RawPeer.hello("vm0"));
                            p.send(RawPeer.hello("vm0"));
                        }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badHellos")
    void givenListener_whenFirstFrameIsInvalid_thenConnectionIsRefusedWithReason(
            String reason, Consumer<RawPeer> action) throws ProtocolException {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer peer = new RawPeer(ends.listener.port())) {
            action.accept(peer);

            ends.await(() -> peer.first(Wire.REFUSED) != null);
            assertTrue(peer.refusal().contains(reason), reason);
            ends.await(peer::hasEnded);
            assertTrue(ends.accepted.isEmpty());
        }
    }

    @Test
    void givenRandomBytesAfterHello_whenReceived_thenLinkEndsWithoutException() {
        try (Ends ends = Ends.plain(OPTIONS)) {
            Link neighbour = ends.connect(() -> ends.dialPlain("vm1"));
            for (int seed = 0; seed < 100; seed++) {
                Random random = new Random(seed);
                try (RawPeer peer = new RawPeer(ends.listener.port())) {
                    peer.send(RawPeer.hello("vm0"));
                    ends.await(() -> peer.first(Wire.WELCOME) != null);
                    byte[] garbage = new byte[random.nextInt(1, 4096)];
                    random.nextBytes(garbage);
                    peer.bytes(garbage);
                }
                Link link = ends.accepted.getLast();
                ends.await(() -> link.state().hasEnded());
                link.close();
            }
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    private static void sendWelcome(RawPeer peer) {
        byte[] payload = RawPeer.payload(RawPeer.hello(""));
        peer.frame(Wire.WELCOME, 0, payload.length, payload);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

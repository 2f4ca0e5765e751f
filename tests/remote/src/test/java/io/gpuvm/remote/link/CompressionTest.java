package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.lz4.Lz4Compressor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of compressed frames.
class CompressionTest {
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT.withRings(1 << 19, 1 << 24);
    private static final int PAYLOAD = 100_000;
    private static final int FRAMES = 200;

    @Test
    void givenLink_whenDataIsCompressible_thenFewerBytesTravelAndContentIsEqual() {
        long bytes = transfer(OPTIONS, OPTIONS, compressible());

        assertTrue(bytes < FRAMES * PAYLOAD / 10, "bytes=" + bytes);
    }

    @Test
    void givenLink_whenDataIsRandom_thenFramesTravelAsTheyAre() {
        byte[] random = new byte[PAYLOAD];
        new Random(1).nextBytes(random);

        assertEquals(FRAMES * Wire.frameBytes(PAYLOAD), transfer(OPTIONS, OPTIONS, random));
    }

    @Test
    void givenEndWithoutCompression_whenPeerSends_thenFramesTravelAsTheyAre() {
        LinkOptions without = OPTIONS.withCompression(false);

        assertEquals(FRAMES * Wire.frameBytes(PAYLOAD), transfer(OPTIONS, without, compressible()));
        assertEquals(FRAMES * Wire.frameBytes(PAYLOAD), transfer(without, OPTIONS, compressible()));
    }

    static Stream<Arguments> violations() {
        byte[] content = new byte[1000];
        byte[] block = new byte[2000];
        int bytes =
                new Lz4Compressor().compress(content, 0, content.length, block, 0, block.length);
        byte[] valid = Arrays.copyOf(block, bytes);
        return Stream.of(
                Arguments.of("compressed frame bytes=8, expected more than 8", frame(100)),
                Arguments.of("content bytes=0, expected 1 to 262144", frame(0, valid)),
                Arguments.of("content bytes=262145, expected", frame(262_145, valid)),
                Arguments.of("content bytes=4294967295, expected", frame(-1, valid)),
                Arguments.of("content bytes=1000, expected=1001", frame(1001, valid)),
                Arguments.of("invalid LZ4 block", frame(999, valid)),
                Arguments.of("invalid LZ4 block", frame(1000, new byte[] {(byte) 0xf1, 2, 3})));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void givenLink_whenPeerSendsInvalidCompressedFrame_thenOnlyItsLinkIsLostWithReason(
            String reason, byte[] payload) throws ProtocolException {
        try (Ends ends = Ends.plain(OPTIONS);
                RawPeer peer = new RawPeer(ends.listener.port());
                RawPeer bulk = new RawPeer(ends.listener.port())) {
            Link neighbour = ends.connect(() -> ends.dialPlain("vm1"));
            peer.send(RawPeer.hello("vm0"));
            ends.await(() -> peer.first(Wire.WELCOME) != null);
            bulk.send(RawPeer.resume(Lane.BULK, peer.key(), "vm0"));
            Link link = ends.accepted.getLast();
            ends.await(() -> link.state() == LinkState.UP);

            bulk.frame(Wire.DATA, Wire.COMPRESSED, payload.length, payload);

            ends.await(() -> {
                link.peek(Lane.BULK);
                return link.state() == LinkState.LOST;
            });
            assertTrue(link.reason().contains(reason), link::reason);
            assertEquals(LinkState.UP, neighbour.state());
        }
    }

    private static byte[] frame(int contentBytes, byte... block) {
        return ByteBuffer.allocate(FrameCompressor.HEADER_BYTES + block.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(contentBytes)
                .putInt(0)
                .put(block)
                .array();
    }

    private static byte[] compressible() {
        byte[] bytes = new byte[PAYLOAD];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i / 100);
        }
        return bytes;
    }

    /// Sends frames, of which the peer takes one at a time.
    ///
    /// @return number of bytes in the stream of frames
    private static long transfer(LinkOptions backend, LinkOptions agent, byte[] content) {
        try (Ends ends = new Ends(backend, agent, LinkAddress.parse("tcp:127.0.0.1:0"), null)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));
            Link peer = ends.accepted.getFirst();
            MemorySegment data = MemorySegment.ofArray(content);
            int[] sent = new int[1];
            int[] received = new int[1];
            ends.step =
                    () -> {
                        send(link, data, sent);
                        LinkFrame frame = peer.peek(Lane.BULK);
                        if (frame != null) {
                            assertArrayEquals(content, frame.payload().toArray(Wire.U8));
                            assertEquals(received[0], frame.type());
                            peer.release(Lane.BULK);
                            received[0]++;
                        }
                    };
            ends.await(() -> received[0] == FRAMES);
            return link.lane(Lane.BULK).out().appended();
        }
    }

    private static void send(Link link, MemorySegment data, int[] sent) {
        while (sent[0] < FRAMES && link.room(Lane.BULK) >= PAYLOAD) {
            link.send(Lane.BULK, sent[0], data);
            sent[0]++;
        }
    }
}

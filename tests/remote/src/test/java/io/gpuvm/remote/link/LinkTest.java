package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final LinkOptions SMALL = LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19);

    @Test
    void givenListener_whenLinkIsDialled_thenBothEndsAreUp() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0", (byte) 1, (byte) 2));

            assertEquals(List.of("vm0"), ends.names);
            assertArrayEquals(new byte[] {1, 2}, ends.requests.getFirst());
            assertArrayEquals(new byte[] {42}, link.answer());
            assertEquals("vm0", ends.accepted.getFirst().peerName());
        }
    }

    @Test
    void givenLink_whenFramesAreSent_thenFramesArriveInOrderOnTheirLanes() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));
            Link peer = ends.accepted.getFirst();

            link.send(Lane.CALLS, 7, bytes(1, 2, 3));
            link.send(Lane.CALLS, 8, bytes());
            link.send(Lane.BULK, 9, bytes(4, 5), 1, 1, bytes(6, 7, 8, 9), 2, 2);

            assertFrame(ends, peer, Lane.CALLS, 7, 1, 2, 3);
            assertFrame(ends, peer, Lane.CALLS, 8);
            assertFrame(ends, peer, Lane.BULK, 9, 5, 8, 9);
            peer.send(Lane.CALLS, 65_535, bytes(1));
            assertFrame(ends, link, Lane.CALLS, 65_535, 1);
            assertNull(peer.peek(Lane.CALLS));
        }
    }

    @Test
    void givenFrameOfMaximumLength_whenSentOften_thenEveryByteArrives() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));
            Link peer = ends.accepted.getFirst();
            byte[] data = new byte[Link.MOST_PAYLOAD];
            for (int round = 0; round < 40; round++) {
                data[round] = (byte) round;
                data[data.length - 1 - round] = (byte) -round;
                ends.await(() -> link.room(Lane.BULK) == Link.MOST_PAYLOAD);
                link.send(Lane.BULK, round, MemorySegment.ofArray(data));

                ends.await(() -> peer.peek(Lane.BULK) != null);
                LinkFrame frame = peer.peek(Lane.BULK);
                assertEquals(round, frame.type());
                assertArrayEquals(data, frame.payload().toArray(ValueLayout.JAVA_BYTE));
                peer.release(Lane.BULK);
            }
        }
    }

    @Test
    void givenReceiverThatTakesNoFrames_whenSenderSends_thenRoomEndsAndOtherLaneContinues() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));
            Link peer = ends.accepted.getFirst();
            byte[] data = new byte[4096];
            long sent = 0;
            for (int idle = 0; idle < 1000; idle++) {
                while (link.room(Lane.BULK) >= data.length) {
                    link.send(Lane.BULK, 0, MemorySegment.ofArray(data));
                    sent += data.length;
                    idle = 0;
                }
                ends.work();
            }
            assertTrue(sent <= 1 << 19, () -> "the sender exceeds the receiver's ring");
            link.send(Lane.CALLS, 1, bytes(1));
            assertFrame(ends, peer, Lane.CALLS, 1, 1);

            long taken = 0;
            while (taken < sent) {
                ends.await(() -> peer.peek(Lane.BULK) != null);
                taken += peer.peek(Lane.BULK).bytes();
                peer.release(Lane.BULK);
            }
            ends.await(() -> link.room(Lane.BULK) == Link.MOST_PAYLOAD);
        }
    }

    @Test
    void givenFrameBeyondRoom_whenSent_thenSendIsRefused() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));

            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            link.send(
                                    Lane.BULK,
                                    0,
                                    MemorySegment.ofArray(new byte[Link.MOST_PAYLOAD + 1])));
            assertThrows(
                    IllegalArgumentException.class, () -> link.send(Lane.CALLS, 65_536, bytes()));
        }
    }

    @Test
    void givenFramesInFlight_whenSenderCloses_thenFramesArriveBeforeEnd() {
        try (Ends ends = Ends.plain(SMALL)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));
            Link peer = ends.accepted.getFirst();
            for (int i = 0; i < 100; i++) {
                link.send(Lane.CALLS, i, bytes(i));
            }
            link.close("done");

            ends.await(() -> peer.state() == LinkState.CLOSED && link.isDone());
            assertEquals("done", peer.reason());
            for (int i = 0; i < 100; i++) {
                assertFrame(ends, peer, Lane.CALLS, i, i);
            }
            assertNull(peer.peek(Lane.CALLS));
            assertEquals(0, peer.room(Lane.CALLS));
        }
    }

    @Test
    void givenHandlerThatRefuses_whenLinkIsDialled_thenReasonReachesPeer() {
        try (Ends ends = Ends.plain(SMALL)) {
            ends.decision = LinkHandler.Decision.refuse("sessions=2, limit=2");
            Link link = ends.dialPlain("vm0");

            ends.await(() -> link.state() == LinkState.LOST);
            assertEquals("refused: sessions=2, limit=2", link.reason());
            assertTrue(ends.accepted.isEmpty());
        }
    }

    @Test
    void givenNoListener_whenLinkIsDialled_thenLinkIsLostWithReason() {
        LinkOptions brief = SMALL.withConnect(Duration.ofMillis(300), Duration.ofMillis(300));
        try (Ends ends = Ends.plain(brief)) {
            int port = ends.listener.port();
            ends.listener.close();
            ends.work();
            Link link = ends.dialPlain(port, "vm0");

            ends.await(() -> link.state() == LinkState.LOST);
            assertTrue(link.reason().contains("ECONNREFUSED"), link::reason);
        }
    }

    @Test
    void givenAddressThatIsNotLoopback_whenUsedWithoutTls_thenAddressIsRefused() {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> LinkAddress.parse("tcp:192.0.2.1:7000").resolve());

        assertTrue(refused.getMessage().contains("loopback"), refused::getMessage);
        assertEquals(1, LinkAddress.parse("tls:192.0.2.1:7000").resolve().size());
    }

    private static void assertFrame(Ends ends, Link at, Lane lane, int type, int... expected) {
        ends.await(() -> at.peek(lane) != null);
        LinkFrame frame = at.peek(lane);
        assertNotNull(frame);
        assertEquals(type, frame.type());
        byte[] bytes = new byte[expected.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) expected[i];
        }
        assertArrayEquals(bytes, frame.payload().toArray(ValueLayout.JAVA_BYTE));
        at.release(lane);
    }

    private static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }
}

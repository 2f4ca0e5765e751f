package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FdSocketTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment out = arena.allocate(4096);
    private final MemorySegment in = arena.allocate(4096);
    private final List<Descriptor> descriptors = new ArrayList<>();
    private final FdSocket.Pair pair = FdSocket.pair();

    @AfterEach
    void close() {
        descriptors.forEach(Descriptor::close);
        pair.close();
        arena.close();
    }

    @Test
    void givenBytes_whenSent_thenBytesAreReceivedAtOffset() {
        out.setString(8, "hello");
        assertEquals(5, pair.left().send(out, 8, 5));
        assertEquals(5, pair.right().receive(in, 16, 100, descriptors));
        assertEquals("hello", in.getString(16));
        assertTrue(descriptors.isEmpty());
    }

    @Test
    void givenNoData_whenReceiving_thenNoDataIsReported() {
        assertEquals(FdSocket.NOTHING_YET, pair.right().receive(in, 0, 16, descriptors));
    }

    @Test
    void givenDescriptor_whenSent_thenReceiverHasSameFile() {
        try (EventFd event = EventFd.create()) {
            assertEquals(16, pair.left().send(out, 0, 16, event.descriptor()));
            assertEquals(16, pair.right().receive(in, 0, 100, descriptors));
            assertEquals(1, descriptors.size());
            assertTrue(EventFd.signal(descriptors.getFirst().number()));
            assertEquals(1, event.drain());
        }
    }

    @Test
    void givenUnexpectedDescriptor_whenBytesAreReceived_thenDescriptorIsDropped() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create()) {
            assertEquals(16, pair.left().send(out, 0, 16, event.descriptor()));
            assertEquals(16, pair.right().receive(in, 0, 100));
            assertEquals(before + 1, OpenDescriptors.count());
            assertEquals(FdSocket.NOTHING_YET, pair.right().receive(in, 0, 100));
        }
    }

    @Test
    void givenBytesAfterDescriptor_whenReceived_thenNextCallReturnsBytes() {
        try (EventFd event = EventFd.create()) {
            pair.left().send(out, 0, 8);
            pair.left().send(out, 0, 16, event.descriptor());
            pair.left().send(out, 0, 32);
            assertEquals(24, pair.right().receive(in, 0, 100, descriptors));
            assertEquals(1, descriptors.size());
            assertEquals(32, pair.right().receive(in, 0, 100, descriptors));
            assertEquals(1, descriptors.size());
        }
    }

    @Test
    void givenMaximumNumberOfDescriptors_whenSent_thenAllDescriptorsAreReceived() {
        try (EventFd event = EventFd.create()) {
            pair.left().send(out, 0, 16, repeat(event, FdSocket.MAX_RECEIVED));
            pair.right().receive(in, 0, 100, descriptors);
            assertEquals(FdSocket.MAX_RECEIVED, descriptors.size());
            assertFalse(pair.right().truncated());
        }
    }

    @Test
    void givenTooManyDescriptors_whenReceived_thenExcessIsDroppedAndNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create()) {
            pair.left().send(out, 0, 16, repeat(event, FdSocket.MAX_RECEIVED + 1));
            assertEquals(16, pair.right().receive(in, 0, 100, descriptors));
            assertTrue(pair.right().truncated());
            assertEquals(FdSocket.MAX_RECEIVED, descriptors.size());
            descriptors.forEach(Descriptor::close);
            pair.left().send(out, 0, 8);
            pair.right().receive(in, 0, 100, descriptors);
            assertFalse(pair.right().truncated());
        }
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenMoreDescriptorsThanAllowed_whenSent_thenSendIsRefused() {
        try (EventFd event = EventFd.create()) {
            int[] tooMany = repeat(event, FdSocket.MAX_SENT + 1);
            assertThrows(
                    IllegalArgumentException.class, () -> pair.left().send(out, 0, 16, tooMany));
        }
    }

    @Test
    void givenClosedPeer_whenReceivingAndSending_thenEndAndPeerGoneAreReturned() {
        pair.left().close();
        assertEquals(FdSocket.END, pair.right().receive(in, 0, 16, descriptors));
        assertEquals(FdSocket.PEER_GONE, pair.right().send(out, 0, 16));
        assertEquals(FdSocket.PEER_GONE, pair.right().send(out, 0, 16, new int[0]));
    }

    @Test
    void givenPeerThatClosedWithoutReading_whenReceiving_thenEndIsReturned() {
        pair.right().send(out, 0, 16);
        pair.left().close();
        assertEquals(FdSocket.END, pair.right().receive(in, 0, 16, descriptors));
    }

    @Test
    void givenPeerThatDoesNotRead_whenSending_thenSendReturnsZeroInsteadOfWaiting() {
        long sent = 1;
        for (int i = 0; i < 100_000 && sent > 0; i++) {
            sent = pair.left().send(out, 0, 4096);
        }
        assertEquals(0, sent);
    }

    @Test
    void givenInvalidBuffer_whenUsed_thenUseIsRefused() {
        FdSocket socket = pair.left();
        assertThrows(IndexOutOfBoundsException.class, () -> socket.send(out, 4090, 7));
        assertThrows(IndexOutOfBoundsException.class, () -> socket.send(out, 0, 0));
        assertThrows(
                IndexOutOfBoundsException.class, () -> socket.receive(in, -1, 16, descriptors));
        MemorySegment heap = MemorySegment.ofArray(new byte[16]);
        assertThrows(IllegalArgumentException.class, () -> socket.send(heap, 0, 16));
    }

    private static int[] repeat(EventFd event, int count) {
        int[] numbers = new int[count];
        Arrays.fill(numbers, event.descriptor());
        return numbers;
    }
}

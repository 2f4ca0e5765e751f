package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PushQueueTest {
    private static final GemBuffer ONE = new GemBuffer(1, Domain.HOST, 64L << 20, 0x1000, 0);
    private static final GemBuffer OTHER = new GemBuffer(2, Domain.HOST, 64L << 20, ONE.end(), 0);

    private final PushQueue queue = new PushQueue();

    @Test
    void givenAdjacentSegments_whenOffered_thenQueueMergesSegments() {
        queue.offer(new Push(ONE, 0x100, 16));
        queue.offer(new Push(ONE, 0x110, 4));
        queue.offer(new Push(ONE, 0x114, 8));

        assertEquals(List.of(new Push(ONE, 0x100, 28)), queue.pushes());
        assertEquals(3, queue.offers());
    }

    @Test
    void givenSegmentsWithGaps_whenOffered_thenQueueKeepsEachSegmentInOrder() {
        queue.offer(new Push(ONE, 0x100, 16));
        queue.offer(new Push(ONE, 0x114, 4));
        queue.offer(new Push(ONE, 0x110, 4));
        queue.offer(new Push(OTHER, 0x114, 4));

        assertEquals(4, queue.pushes().size());
        assertEquals(0x110, queue.pushes().get(2).offset());
    }

    @Test
    void givenAdjacentSegmentsOfTwoBuffers_whenOffered_thenQueueKeepsBothSegments() {
        queue.offer(new Push(ONE, ONE.bytes() - 4, 4));
        queue.offer(new Push(OTHER, 0, 4));

        assertEquals(2, queue.pushes().size());
    }

    @Test
    void givenSegmentOfMaximumLength_whenAdjacentSegmentIsOffered_thenQueueKeepsBothSegments() {
        queue.offer(new Push(ONE, 0, Push.MAX_BYTES));
        queue.offer(new Push(ONE, Push.MAX_BYTES, 4));

        assertEquals(2, queue.pushes().size());
    }

    @Test
    void givenFullQueue_whenSegmentsAreOffered_thenQueueAcceptsOnlyAdjacentSegment() {
        for (int i = 0; i < PushQueue.CAPACITY; i++) {
            assertTrue(queue.offer(new Push(ONE, 16L * i, 4)));
        }
        long last = 16L * (PushQueue.CAPACITY - 1);

        assertFalse(queue.offer(new Push(ONE, 0, 4)));
        assertTrue(queue.offer(new Push(ONE, last + 4, 4)));

        queue.clear();
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.offers());
        assertTrue(queue.offer(new Push(ONE, 0, 4)));
    }
}

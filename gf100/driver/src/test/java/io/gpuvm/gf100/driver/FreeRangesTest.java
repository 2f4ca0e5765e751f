package io.gpuvm.gf100.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreeRangesTest {
    @Test
    void givenRangesReleasedOutOfOrder_whenWholeRangeIsAllocated_thenRangesAreMerged() {
        FreeRanges free = new FreeRanges(100);
        for (int i = 0; i < 10; i++) {
            assertEquals(10L * i, free.take(10));
        }
        assertEquals(-1, free.take(1));

        for (int i : new int[] {3, 1, 2, 9, 0, 5, 7, 8, 6, 4}) {
            free.giveBack(10L * i, 10);
        }

        assertEquals(0, free.take(100));
    }

    @Test
    void givenRandomAllocationsAndReleases_whenRangesAreAllocated_thenRangesDoNotOverlap() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        FreeRanges free = new FreeRanges(64);
        boolean[] used = new boolean[64];
        List<long[]> taken = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
            if (random.nextBoolean()) {
                int length = 1 + random.nextInt(12);
                boolean tooLong = length > free.largest();
                long start = free.take(length);
                assertEquals(tooLong, start < 0, () -> "seed=" + seed);
                for (long i = start; start >= 0 && i < start + length; i++) {
                    assertTrue(!used[(int) i], () -> "seed=" + seed);
                    used[(int) i] = true;
                }
                if (start >= 0) {
                    taken.add(new long[] {start, length});
                }
            } else if (!taken.isEmpty()) {
                long[] range = taken.remove(random.nextInt(taken.size()));
                free.giveBack(range[0], range[1]);
                for (long i = range[0]; i < range[0] + range[1]; i++) {
                    used[(int) i] = false;
                }
            }
        }
    }

    @Test
    void givenStart_whenRangeIsAllocated_thenOnlyFreeRangeIsAllocated() {
        FreeRanges free = new FreeRanges(100);
        assertTrue(free.takeAt(40, 20));
        assertTrue(free.takeAt(0, 10));
        assertTrue(!free.takeAt(59, 2));
        assertTrue(!free.takeAt(30, 11));
        assertTrue(!free.takeAt(95, 6));
        assertTrue(!free.takeAt(-1, 1));
        assertTrue(free.takeAt(60, 40));
        assertEquals(30, free.largest());

        free.giveBack(40, 20);

        assertEquals(10, free.take(50));
    }

    @Test
    void givenAlignment_whenRangeIsAllocated_thenRangeBeforeAllocationRemainsFree() {
        FreeRanges free = new FreeRanges();
        assertEquals(-1, free.take(1));
        free.giveBack(3, 61);

        assertEquals(32, free.take(20, 32));
        assertEquals(-1, free.take(33, 32));
        assertEquals(3, free.take(29));
        assertEquals(52, free.take(12));
        assertEquals(0, free.largest());
    }
}

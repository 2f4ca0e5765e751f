package io.gpuvm.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitBucketsTest {
    private static final long SEED = 32;

    @Test
    void givenBounds_whenCompared_thenBucketsAdjoin() {
        assertEquals(0, WaitBuckets.from(0));
        assertEquals(1024, WaitBuckets.from(1));
        for (int bucket = 1; bucket < WaitBuckets.COUNT; bucket++) {
            assertEquals(WaitBuckets.from(bucket), WaitBuckets.to(bucket - 1));
            assertTrue(WaitBuckets.from(bucket) > WaitBuckets.from(bucket - 1));
        }
        assertEquals(1L << 36, WaitBuckets.from(WaitBuckets.COUNT - 1));
        assertEquals(Long.MAX_VALUE, WaitBuckets.to(WaitBuckets.COUNT - 1));
    }

    @Test
    void givenRandomDurations_whenAssigned_thenBucketContainsDuration() {
        Random random = new Random(SEED);
        for (int i = 0; i < 100_000; i++) {
            long ns = random.nextLong() >>> 1 + random.nextInt(62);
            int bucket = WaitBuckets.of(ns);
            assertTrue(WaitBuckets.from(bucket) <= ns && ns < WaitBuckets.to(bucket), "ns=" + ns);
        }
    }

    @Test
    void givenExtremes_whenAssigned_thenFirstAndLastBucketTakeThem() {
        assertEquals(0, WaitBuckets.of(-1));
        assertEquals(0, WaitBuckets.of(0));
        assertEquals(WaitBuckets.COUNT - 1, WaitBuckets.of(1L << 36));
        assertEquals(WaitBuckets.COUNT - 1, WaitBuckets.of(Long.MAX_VALUE));
    }

    @Test
    void givenDurations_whenPercentileIsEstimated_thenErrorIsLessThanWidthOfBucket() {
        long[] counts = new long[WaitBuckets.COUNT];
        for (int i = 1; i <= 1000; i++) {
            counts[WaitBuckets.of(i * 100_000L)]++;
        }
        for (int percent : new int[] {1, 25, 50, 90, 99, 100}) {
            long exact = percent * 1_000_000L;
            long estimate = WaitBuckets.percentile(bucket -> counts[bucket], percent);
            assertEquals(exact, estimate, exact / 8.0, "percent=" + percent);
        }
    }

    @Test
    void givenNoDurations_whenPercentileIsEstimated_thenItIsZero() {
        assertEquals(0, WaitBuckets.percentile(_ -> 0, 99));
    }

    @Test
    void givenDurationsInLastBucket_whenPercentileIsEstimated_thenItIsLowerBound() {
        assertEquals(
                1L << 36,
                WaitBuckets.percentile(bucket -> bucket == WaitBuckets.COUNT - 1 ? 7 : 0, 50));
    }
}

package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Tests of the limits of handshakes.
class TokenBucketTest {
    /// Clock that overflows during the tests.
    private static final long START_NS = Long.MAX_VALUE - 1000;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void givenBucket_whenBurstIsTaken_thenEventsAreAsFrequentAsTheRate() {
        TokenBucket bucket = new TokenBucket(3, 10);
        for (int i = 0; i < 3; i++) {
            assertTrue(bucket.permits(START_NS));
            bucket.take(START_NS);
        }
        assertFalse(bucket.permits(START_NS));
        assertEquals(SECOND_NS / 10, bucket.nanosUntilPermit(START_NS));

        int permitted = 0;
        for (int ms = 0; ms <= 1000; ms++) {
            long nowNs = START_NS + TimeUnit.MILLISECONDS.toNanos(ms);
            if (bucket.permits(nowNs)) {
                bucket.take(nowNs);
                permitted++;
            }
        }
        assertEquals(10, permitted);
    }

    @Test
    void givenIdleBucket_whenTimePasses_thenBurstIsLimited() {
        TokenBucket bucket = new TokenBucket(2, 10);
        bucket.take(START_NS);
        long laterNs = START_NS + 100 * SECOND_NS;
        bucket.take(laterNs);
        bucket.take(laterNs);
        assertFalse(bucket.permits(laterNs));
    }

    @Test
    void givenAddressWithFailures_whenItIsOverLimit_thenOnlyItsNetworkIsRefused() throws Exception {
        FailedConnections failures = new FailedConnections();
        InetAddress bad = InetAddress.getByName("2001:db8::1");
        for (int i = 0; i < FailedConnections.BURST; i++) {
            assertTrue(failures.permits(bad, START_NS));
            failures.add(bad, START_NS);
        }
        assertFalse(failures.permits(bad, START_NS));
        assertFalse(failures.permits(InetAddress.getByName("2001:db8::2"), START_NS));
        assertTrue(failures.permits(InetAddress.getByName("2001:db8:0:1::1"), START_NS));
        assertTrue(failures.permits(InetAddress.getByName("192.0.2.1"), START_NS));
        assertTrue(failures.permits(bad, START_NS + SECOND_NS));
    }
}

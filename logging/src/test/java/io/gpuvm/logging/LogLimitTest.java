package io.gpuvm.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogLimitTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    /// Current time in nanoseconds; starts shortly before the clock overflows.
    private long nowNs = Long.MAX_VALUE - 5 * MINUTE_NS;

    private final LogLimit limit = LogLimit.perMinute(100, () -> nowNs);

    private enum Kind {
        ONE,
        OTHER
    }

    @Test
    void givenBurstOfLines_whenSpent_thenExcessIsRefusedAndCounted() {
        assertEquals(100, spendAll());
        assertFalse(limit.spend());
        assertTrue(limit.isSpent());
        assertEquals(2, limit.takeLeftOut());
        assertEquals(0, limit.takeLeftOut());
    }

    @Test
    void givenSpentBudget_whenMinutesPass_thenOneLinePerMinuteIsLogged() {
        spendAll();
        nowNs += MINUTE_NS - 1;
        assertFalse(limit.spend());
        nowNs += 1;
        assertTrue(limit.spend());
        assertFalse(limit.spend());
        nowNs += 10 * MINUTE_NS;
        assertEquals(10, spendAll());
    }

    @Test
    void givenFullBudget_whenTimePasses_thenBudgetDoesNotGrow() {
        nowNs += 1000 * MINUTE_NS;
        assertEquals(100, spendAll());
    }

    @Test
    void givenPermanentLimit_whenSpent_thenNoLineIsRestored() {
        LogLimit once = LogLimit.once();

        assertTrue(once.spend());
        nowNs += 1000 * MINUTE_NS;
        assertFalse(once.spend());
    }

    @Test
    void givenLoggedKind_whenRepeated_thenBudgetIsUnchanged() {
        LogLimit two = LogLimit.lines(2);

        assertTrue(two.spendOnce(Kind.ONE));
        assertFalse(two.spendOnce(Kind.ONE));
        assertTrue(two.spendOnce(Kind.OTHER));
        assertTrue(two.isSpent());
    }

    @Test
    void givenRefusedKind_whenBudgetIsRestored_thenKindIsLogged() {
        spendAll();
        assertFalse(limit.spendOnce(Kind.ONE));
        nowNs += MINUTE_NS;
        assertTrue(limit.spendOnce(Kind.ONE));
    }

    @Test
    void givenZeroLines_whenCreated_thenErrorNamesLimit() {
        assertEquals(
                "lines=0, expected 1 or more",
                assertThrows(IllegalArgumentException.class, () -> LogLimit.lines(0)).getMessage());
    }

    private int spendAll() {
        int spent = 0;
        while (limit.spend()) {
            spent++;
        }
        return spent;
    }
}

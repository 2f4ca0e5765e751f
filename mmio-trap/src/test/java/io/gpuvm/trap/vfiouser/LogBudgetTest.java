package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogBudgetTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private long nowNs = Long.MAX_VALUE - 5 * MINUTE_NS;
    private final LogBudget budget = new LogBudget(nowNs);

    @Test
    void givenManyLinesAtOnce_whenSpent_thenTheRestIsRefused() {
        assertEquals(100, spendAll());
        assertFalse(budget.spend(nowNs));
    }

    @Test
    void givenSpentBudget_whenMinutesPass_thenOneLinePerMinute() {
        spendAll();
        nowNs += MINUTE_NS - 1;
        assertFalse(budget.spend(nowNs));
        nowNs += 1;
        assertTrue(budget.spend(nowNs));
        assertFalse(budget.spend(nowNs));
        nowNs += 10 * MINUTE_NS;
        assertEquals(10, spendAll());
    }

    @Test
    void givenFullBudget_whenTimePasses_thenItDoesNotGrow() {
        nowNs += 1000 * MINUTE_NS;
        assertEquals(100, spendAll());
    }

    private int spendAll() {
        int spent = 0;
        while (budget.spend(nowNs)) {
            spent++;
        }
        return spent;
    }
}

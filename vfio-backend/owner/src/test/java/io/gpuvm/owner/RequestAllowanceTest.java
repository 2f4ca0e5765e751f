package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Tests of the limits on one virtual machine's requests to the owner.
class RequestAllowanceTest {
    private static final long START_NS = Long.MAX_VALUE - 1; // the clock may wrap around

    private static final int PER_SECOND = 20_000;
    private final RequestAllowance allowance = new RequestAllowance(PER_SECOND, START_NS);

    @Test
    void givenNewAllowance_whenManyRequestsFollow_thenBurstIsLimited() {
        assertEquals(RequestAllowance.AT_ONCE, spendAll(START_NS));
        assertEquals(0, allowance.at(START_NS));
    }

    @Test
    void givenFlood_whenOneSecondPasses_thenRateIsLimited() {
        spendAll(START_NS);
        int done = 0;
        for (int ms = 1; ms <= 1000; ms++) {
            done += spendAll(START_NS + TimeUnit.MILLISECONDS.toNanos(ms));
        }
        assertEquals(PER_SECOND, done);
    }

    @Test
    void givenLongPause_whenManyRequestsFollow_thenBurstIsLimited() {
        spendAll(START_NS);
        assertEquals(RequestAllowance.AT_ONCE, spendAll(START_NS + TimeUnit.DAYS.toNanos(1)));
    }

    @Test
    void givenFullCredit_whenTurnComes_thenTurnIsLimited() {
        assertEquals(RequestAllowance.PER_TURN, allowance.at(START_NS));
    }

    @Test
    void givenStoppedEngines_whenTimeIsCharged_thenCreditReturnsAfterEightTimesCharge() {
        spendAll(START_NS);

        allowance.spendTime(TimeUnit.MILLISECONDS.toNanos(10));

        assertEquals(0, allowance.at(START_NS + TimeUnit.MILLISECONDS.toNanos(80)));
        assertTrue(allowance.at(START_NS + TimeUnit.MILLISECONDS.toNanos(81)) > 0);
    }

    private int spendAll(long nowNs) {
        int done = 0;
        for (int next; (next = allowance.at(nowNs)) > 0; done += next) {
            allowance.spend(next);
        }
        return done;
    }
}

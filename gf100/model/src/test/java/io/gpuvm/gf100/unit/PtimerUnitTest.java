package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ptimer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PtimerUnitTest {
    /// Number of rounds, large enough to trigger the race and small enough for a busy machine.
    private static final int ROUNDS = 2_000;

    private static final long FOUR_SECONDS_NS = 1L << Integer.SIZE;

    private long hostNs = 1_000;
    private int alarmsSet;
    private final InterruptTree tree = new InterruptTree(() -> {});
    private final PtimerUnit ptimer =
            new PtimerUnit(() -> hostNs, tree.line(Pmc.INTR_PTIMER), () -> alarmsSet++);
    private final RegisterBench bench = new RegisterBench(tree, ptimer);

    @Test
    void givenClock_whenTimePasses_thenBothHalvesAdvanceInStepsOf32() {
        hostNs = 5 * FOUR_SECONDS_NS + 0x1234_567f;

        assertEquals(5, bench.read(Ptimer.TIME_HIGH));
        assertEquals(0x1234_5660, bench.read(Ptimer.TIME_LOW));
        assertEquals(5 * FOUR_SECONDS_NS + 0x1234_5660, ptimer.nowNs());
    }

    /// nouveau reads high, low, high and retries if the two high halves differ.
    @Test
    void givenCarryBetweenReads_whenDriverReadsHighLowHigh_thenCarryIsDetected() {
        hostNs = FOUR_SECONDS_NS - 32;
        int before = bench.read(Ptimer.TIME_HIGH);
        hostNs += 32;
        bench.read(Ptimer.TIME_LOW);

        assertEquals(before + 1, bench.read(Ptimer.TIME_HIGH));
    }

    @Test
    void givenClock_whenDriverSetsTime_thenClockContinuesFromNewTime() {
        bench.write(Ptimer.TIME_HIGH, 7);
        bench.write(Ptimer.TIME_LOW, 0x100);
        hostNs += 64;

        assertEquals(7, bench.read(Ptimer.TIME_HIGH));
        assertEquals(0x140, bench.read(Ptimer.TIME_LOW));
    }

    @Test
    void givenAlarm_whenAlarmTimeIsReached_thenInterruptIsPendingUntilAcknowledged() {
        hostNs = 0;
        bench.write(Ptimer.ALARM, 500);
        bench.write(Ptimer.INTR_EN, 1);
        assertEquals(1, alarmsSet);
        assertEquals(500, ptimer.nanosUntilAlarm());
        assertFalse(ptimer.pollAlarm());

        hostNs = 500;
        assertEquals(0, ptimer.nanosUntilAlarm());
        assertTrue(ptimer.pollAlarm());
        assertEquals(Pmc.INTR_PTIMER.mask(), bench.read(Pmc.INTR_HOST));
        assertEquals(1, bench.read(Ptimer.INTR));
        assertFalse(ptimer.pollAlarm());
        assertEquals(Long.MAX_VALUE, ptimer.nanosUntilAlarm());

        bench.write(Ptimer.INTR, 1);
        assertEquals(0, bench.read(Ptimer.INTR));
        assertEquals(0, bench.read(Pmc.INTR_HOST));
    }

    @Test
    void givenAlarmInPast_whenSet_thenAlarmFiresAfterLowHalfWrapsAround() {
        hostNs = 1_000;
        bench.write(Ptimer.ALARM, 999);

        assertEquals(FOUR_SECONDS_NS - 1, ptimer.nanosUntilAlarm());
    }

    @Test
    void givenDisabledInterrupt_whenAlarmFires_thenStatusIsSetWithoutInterrupt() {
        hostNs = 0;
        bench.write(Ptimer.ALARM, 10);
        hostNs = 10;

        assertTrue(ptimer.pollAlarm());
        assertEquals(1, bench.read(Ptimer.INTR));
        assertEquals(0, bench.read(Pmc.INTR_HOST));
        bench.write(Ptimer.INTR_EN, 1);
        assertEquals(Pmc.INTR_PTIMER.mask(), bench.read(Pmc.INTR_HOST));
    }

    @Test
    void givenPendingAlarm_whenPtimerIsReset_thenNoAlarmIsPending() {
        hostNs = 0;
        bench.write(Ptimer.ALARM, 10);
        bench.write(Ptimer.INTR_EN, 1);
        hostNs = 10;
        ptimer.pollAlarm();

        bench.reset();

        assertEquals(0, bench.read(Ptimer.INTR));
        assertEquals(0, bench.read(Pmc.INTR_HOST));
        assertEquals(0, bench.read(Ptimer.ALARM));
    }

    @Test
    void givenAlarm_whenTimeIsSet_thenAlarmComparesLowHalf() {
        hostNs = 0;
        bench.write(Ptimer.ALARM, 500);
        bench.write(Ptimer.TIME_HIGH, 7);
        bench.write(Ptimer.TIME_LOW, 400);

        assertEquals(100, ptimer.nanosUntilAlarm());
        assertFalse(ptimer.pollAlarm());
        assertEquals(2, alarmsSet);
        hostNs += 100;
        assertTrue(ptimer.pollAlarm());
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenPollingThread_whenPtimerIsReset_thenNoEarlierAlarmIsPending()
            throws InterruptedException {
        AtomicInteger polls = new AtomicInteger();
        AtomicBoolean running = new AtomicBoolean(true);
        Thread poller =
                new Thread(() -> {
                    while (running.get()) {
                        ptimer.pollAlarm();
                        polls.incrementAndGet();
                    }
                });
        poller.start();
        int left = 0;
        for (int i = 0; i < ROUNDS; i++) {
            bench.write(Ptimer.ALARM, (int) hostNs);
            ptimer.reset();
            int seen = polls.get();
            while (polls.get() - seen < 2) {
                Thread.yield(); // other work may occupy both processors
            }
            left += bench.read(Ptimer.INTR);
            bench.write(Ptimer.INTR, 1);
        }
        running.set(false);
        poller.join();
        assertEquals(0, left);
    }
}

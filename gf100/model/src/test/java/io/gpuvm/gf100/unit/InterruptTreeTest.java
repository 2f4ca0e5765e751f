package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.Pmc;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InterruptTreeTest {
    private final AtomicInteger evaluations = new AtomicInteger();
    private final InterruptTree tree = new InterruptTree(evaluations::incrementAndGet);
    private final RegisterBench bench = new RegisterBench(tree);
    private final InterruptLine pfifo = tree.line(Pmc.INTR_PFIFO);
    private final InterruptLine ptimer = tree.line(Pmc.INTR_PTIMER);

    @Test
    void givenPowerOn_whenMasksAreRead_thenAllLinesPass() {
        assertEquals(-1, bench.read(Pmc.INTR_MASK_HOST));
        assertEquals(-1, bench.read(Pmc.INTR_MASK_NRHOST));
        assertEquals(0, bench.read(Pmc.INTR_EN_HOST));
    }

    @Test
    void givenLine_whenAsserted_thenLeafShowsLineAndEnableGatesPin() {
        pfifo.set(true);

        assertEquals(Pmc.INTR_PFIFO.mask(), bench.read(Pmc.INTR_HOST));
        assertFalse(tree.asserted());
        bench.write(Pmc.INTR_EN_HOST, 1);
        assertTrue(tree.asserted());
        pfifo.set(false);
        assertFalse(tree.asserted());
        assertEquals(0, bench.read(Pmc.INTR_HOST));
    }

    @Test
    void givenTwoLines_whenOneLineIsMasked_thenOnlyUnmaskedLineAssertsPin() {
        bench.write(Pmc.INTR_EN_HOST, 1);
        bench.write(Pmc.INTR_MASK_HOST, ~Pmc.INTR_PFIFO.mask());

        pfifo.set(true);
        assertFalse(tree.asserted());
        ptimer.set(true);
        assertTrue(tree.asserted());
        assertEquals(Pmc.INTR_PFIFO.mask() | Pmc.INTR_PTIMER.mask(), bench.read(Pmc.INTR_HOST));
    }

    @Test
    void givenAssertedLevel_whenTopEnableIsSetAgain_thenLevelIsEvaluatedAgain() {
        bench.write(Pmc.INTR_EN_HOST, 1);
        pfifo.set(true);

        bench.write(Pmc.INTR_EN_HOST, 0);
        assertEquals(0, bench.read(Pmc.INTR_EN_HOST));
        assertFalse(tree.asserted());
        int before = evaluations.get();
        bench.write(Pmc.INTR_EN_HOST, 1);

        assertTrue(tree.asserted());
        assertEquals(before + 1, evaluations.get());
    }

    @Test
    void givenAssertedLine_whenAssertedAgain_thenPinIsNotCalled() {
        pfifo.set(true);
        int before = evaluations.get();

        pfifo.set(true);

        assertEquals(before, evaluations.get());
    }

    @Test
    void givenAssignedLine_whenRequestedAgain_thenRequestIsRefused() {
        assertThrows(IllegalStateException.class, () -> tree.line(Pmc.INTR_PFIFO));
    }

    @Test
    void givenAssertedLine_whenReset_thenPinIsReleasedAndAllLinesPass() {
        bench.write(Pmc.INTR_EN_HOST, 1);
        bench.write(Pmc.INTR_MASK_HOST, 0);
        pfifo.set(true);

        bench.reset();

        assertFalse(tree.asserted());
        assertEquals(-1, bench.read(Pmc.INTR_MASK_HOST));
    }

    /// One thread raises an event and updates the level; the other thread acknowledges the event
    /// and also updates the level. In any order, the line must finally have the current level.
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenTwoThreads_whenRaiseRacesWithAcknowledgement_thenLineMatchesLevel()
            throws InterruptedException {
        int rounds = 5_000;
        AtomicInteger status = new AtomicInteger();
        AtomicInteger turn = new AtomicInteger();
        AtomicBoolean wrong = new AtomicBoolean();
        LevelLine follower = new LevelLine(pfifo, () -> status.get() != 0);
        Thread raiser =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int round = 1; round <= rounds; round++) {
                                awaitTurn(turn, 2 * round - 1);
                                status.set(1);
                                follower.update();
                                turn.incrementAndGet();
                            }
                        });
        for (int round = 1; round <= rounds; round++) {
            turn.incrementAndGet();
            status.compareAndSet(1, 0);
            follower.update();
            awaitTurn(turn, 2 * round);
            boolean shown = bench.read(Pmc.INTR_HOST) != 0;
            if (shown != (status.get() != 0)) {
                wrong.set(true);
            }
        }
        raiser.join(TimeUnit.SECONDS.toMillis(20));

        assertFalse(wrong.get());
    }

    private static void awaitTurn(AtomicInteger turn, int number) {
        while (turn.get() < number) {
            Thread.yield();
        }
    }
}

package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LevelLineTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final CountDownLatch raising = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean level;
    private volatile boolean line;
    private volatile boolean seen;
    private final LevelLine follower = new LevelLine(this::drive, () -> level);

    private void drive(boolean asserted) {
        line = asserted;
        if (asserted) {
            raising.countDown();
            await(goOn);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT_NS, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void givenRaiseInProgress_whenAnotherThreadAcknowledges_thenLineIsReleased()
            throws InterruptedException {
        level = true;
        Thread engine = Thread.ofPlatform().start(follower::update);
        await(raising);
        level = false;
        Thread driver =
                Thread.ofPlatform()
                        .start(() -> {
                            follower.update();
                            seen = line;
                        });
        long start = System.nanoTime();
        while (driver.getState() != Thread.State.BLOCKED && driver.isAlive()) {
            assertTrue(System.nanoTime() - start < LIMIT_NS);
            Thread.onSpinWait();
        }
        goOn.countDown();
        engine.join();
        driver.join();

        assertFalse(seen);
        assertFalse(line);
    }
}

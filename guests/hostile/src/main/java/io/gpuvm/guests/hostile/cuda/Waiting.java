package io.gpuvm.guests.hostile.cuda;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Wait for a condition, with a deadline.
final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(10);

    private Waiting() {}

    /// @return whether the condition is met in time
    static boolean until(BooleanSupplier condition) throws InterruptedException {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }
}

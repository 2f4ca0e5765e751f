package io.gpuvm.guests.hostile;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Load that uses a given share of a processor in the second half of each turn. It uses as much
/// processor time as a flood without sending requests, for comparison.
final class Burning {
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private Burning() {}

    /// @param shares shares of a processor, 0 to 1, one per thread
    static void run(Turns turns, double[] shares) throws InterruptedException {
        Thread[] threads = new Thread[shares.length];
        for (int i = 0; i < shares.length; i++) {
            double share = shares[i];
            threads[i] = Thread.ofPlatform().start(() -> burn(turns, share));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void burn(Turns turns, double share) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        try {
            for (int turn = 0; turn < turns.count(); turn++) {
                long endNs = turns.awaitHalf(turn, true);
                long beginNs = System.nanoTime();
                long usedBefore = clock.getCurrentThreadCpuTime();
                while (System.nanoTime() - endNs < 0) {
                    double owed = share * (System.nanoTime() - beginNs);
                    if (clock.getCurrentThreadCpuTime() - usedBefore > owed) {
                        LockSupport.parkNanos(NAP_NS);
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.gpuvm.tests.hostile;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Uses a given share of processors, and nothing else.
final class Burning {
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private Burning() {}

    /// @param args seconds at 1, shares from 2 on
    static void run(String[] args) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
        List<Thread> threads = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            double share = Double.parseDouble(args[i]);
            threads.add(Thread.ofPlatform().start(() -> burn(share, endNs)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void burn(double share, long endNs) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long begin = System.nanoTime();
        while (System.nanoTime() - endNs < 0) {
            double owed = share * (System.nanoTime() - begin) - clock.getCurrentThreadCpuTime();
            if (owed < 0) {
                LockSupport.parkNanos(SLICE_NS);
            }
        }
    }
}

package io.gpuvm.bench.pv;

import java.util.concurrent.TimeUnit;

/// Times something that is done again and again: so often, or until a second is over.
///
/// Where two threads that wait for each other share a processor, each round takes time slices, a
/// million times as long as it does with a processor for each.
final class Repetitions {
    private static final double NS_PER_SECOND = 1e9;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    /// Repetitions between two readings of the clock, a power of two.
    private static final int STRIDE = 64;

    private final int most;
    private final long startNs = System.nanoTime();
    private int count;

    /// Starts the clock.
    ///
    /// @param most how often, at least once
    Repetitions(int most) {
        this.most = most;
    }

    /// Whether to do it once more, which is to follow.
    boolean next() {
        if (count == most || (count & STRIDE - 1) == STRIDE - 1 && isOver()) {
            return false;
        }
        count++;
        return true;
    }

    /// Stops the clock.
    ///
    /// @param amount what was done each time
    Timing end(double amount) {
        return new Timing(count * amount, System.nanoTime() - startNs);
    }

    private boolean isOver() {
        return System.nanoTime() - startNs > LIMIT_NS;
    }

    /// How much was done, and how long it took.
    record Timing(double amount, long ns) {
        double nsEach() {
            return ns / amount;
        }

        double perSecond() {
            return amount * NS_PER_SECOND / ns;
        }
    }
}

package io.gpuvm.bench.pv;

import java.util.concurrent.TimeUnit;

/// Timing of an operation that is repeated up to a number of times, or until a second has elapsed.
///
/// The time limit is for hosts with one processor: if two threads that wait for each other share a
/// processor, each round lasts whole time slices, a million times its duration on two processors.
public final class Repetitions {
    private static final double NS_PER_SECOND = 1e9;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    /// Number of repetitions between two readings of the clock, a power of two.
    private static final int STRIDE = 64;

    private final int most;
    private final long startNs = System.nanoTime();
    private int count;

    /// Starts the clock.
    ///
    /// @param most maximum number of repetitions, at least 1
    Repetitions(int most) {
        this.most = most;
    }

    /// Returns whether to repeat the operation, and counts the repetition.
    boolean next() {
        if (count == most || (count & STRIDE - 1) == STRIDE - 1 && isOver()) {
            return false;
        }
        count++;
        return true;
    }

    /// Stops the clock.
    ///
    /// @param amount amount of work per repetition
    Timing end(double amount) {
        return new Timing(count * amount, System.nanoTime() - startNs);
    }

    private boolean isOver() {
        return System.nanoTime() - startNs > LIMIT_NS;
    }

    /// Amount of work, and its duration.
    public record Timing(double amount, long ns) {
        public double nsEach() {
            return ns / amount;
        }

        public double perSecond() {
            return amount * NS_PER_SECOND / ns;
        }
    }
}

package io.gpuvm.sched.sim;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Commands that arrive independently of the completion of earlier commands: a Poisson process if
/// the interval is exponential, a flood if the interval is very short.
public final class OpenLoop implements CommandSource {
    private final Distribution length;
    private final Distribution interval;
    private final int engine;
    private final RandomGenerator random;
    private long next;

    /// @param length length of a command
    /// @param interval time from one submission to the next
    /// @param seed seed of all random draws
    public OpenLoop(Distribution length, Distribution interval, int engine, long seed) {
        this.length = length;
        this.interval = interval;
        this.engine = engine;
        random = new SplittableRandom(seed);
    }

    @Override
    public long first(long nowNs) {
        next = nowNs + interval.drawNs(random);
        return next;
    }

    @Override
    public long lengthNs() {
        return length.drawNs(random);
    }

    @Override
    public int engine() {
        return engine;
    }

    @Override
    public long onSubmitted(long nowNs) {
        // Counts from the scheduled time: a command that waited for room does not delay later ones.
        next += interval.drawNs(random);
        return next;
    }

    @Override
    public long onCompleted(long nowNs) {
        return next;
    }
}

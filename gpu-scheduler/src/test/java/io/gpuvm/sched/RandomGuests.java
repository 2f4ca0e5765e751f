package io.gpuvm.sched;

import static io.gpuvm.sched.TestGpu.MS;
import static io.gpuvm.sched.TestGpu.US;

import io.gpuvm.sched.policy.TimeShare;
import java.util.Random;

/// Random guests, determined by a seed. The guests have short and long commands, one or several
/// commands outstanding, short or long gaps, pauses and floods.
final class RandomGuests {
    static final long SHORTEST_NS = 10 * US;
    static final long LONGEST_NS = 50 * MS;

    private final Random random;
    private final TestGpu gpu;

    RandomGuests(long seed, TestGpu gpu) {
        random = new Random(seed);
        this.gpu = gpu;
    }

    /// Adds a guest with random behaviour.
    TestGpu.Guest add(TimeShare share) {
        long longest = logUniform(SHORTEST_NS, LONGEST_NS);
        long shortest = random.nextBoolean() ? longest : logUniform(SHORTEST_NS, longest);
        long gap = logUniform(5 * US, 5 * MS);
        int outstanding = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
        // A separate generator: a guest's behaviour must not depend on when other guests draw
        // numbers.
        Random own = new Random(random.nextLong());
        return gpu.guest(
                share,
                outstanding,
                () -> logUniform(own, shortest, longest),
                () -> gap / 2 + own.nextLong(gap));
    }

    /// Adds a guest that always has a queued command, with commands of any length.
    TestGpu.Guest addGreedy(TimeShare share) {
        Random own = new Random(random.nextLong());
        return gpu.guest(share, 3, () -> logUniform(own, SHORTEST_NS, LONGEST_NS), () -> 0);
    }

    /// Makes a guest pause, resume and flood at random times.
    void disturb(TestGpu.Guest guest, long untilNs) {
        for (long at = 0; at < untilNs; at += logUniform(10 * MS, 1000 * MS)) {
            switch (random.nextInt(3)) {
                case 0 -> gpu.at(at, guest::pause);
                case 1 -> gpu.at(at, guest::resume);
                default -> gpu.at(at, () -> guest.flood(3));
            }
        }
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    long logUniform(long from, long to) {
        return logUniform(random, from, to);
    }

    private static long logUniform(Random random, long from, long to) {
        double exponent = Math.log(from) + random.nextDouble() * Math.log((double) to / from);
        return Math.clamp(Math.round(Math.exp(exponent)), from, to);
    }
}

package io.gpuvm.sched.sim;

import java.util.random.RandomGenerator;

/// Distribution of durations. Immutable.
public sealed interface Distribution {
    /// Draws a duration in nanoseconds, at least 0.
    long drawNs(RandomGenerator random);

    /// Returns the distribution with a single value.
    static Distribution constant(long ns) {
        return new Uniform(ns, ns);
    }

    /// Uniform distribution between two durations, both included.
    record Uniform(long leastNs, long mostNs) implements Distribution {
        public Uniform {
            if (leastNs < 0 || mostNs < leastNs || mostNs == Long.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "leastNs=%d, mostNs=%d, expected 0 <= leastNs <= mostNs"
                                .formatted(leastNs, mostNs));
            }
        }

        @Override
        public long drawNs(RandomGenerator random) {
            return leastNs == mostNs ? leastNs : random.nextLong(leastNs, mostNs + 1);
        }
    }

    /// Exponential distribution: times between independent events.
    record Exponential(long meanNs) implements Distribution {
        public Exponential {
            if (meanNs < 1) {
                throw new IllegalArgumentException(
                        "meanNs=%d, expected at least 1".formatted(meanNs));
            }
        }

        @Override
        public long drawNs(RandomGenerator random) {
            return (long) (-meanNs * Math.log(1 - random.nextDouble()));
        }
    }
}

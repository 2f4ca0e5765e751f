package io.gpuvm.sched.sim;

import java.util.random.RandomGenerator;

/// How long something takes, which may be a matter of chance. Immutable.
public sealed interface Distribution {
    /// Draws one, in nanoseconds, 0 or more.
    long drawNs(RandomGenerator random);

    /// Always the same.
    static Distribution constant(long ns) {
        return new Uniform(ns, ns);
    }

    /// Anything from one to another, both included.
    record Uniform(long leastNs, long mostNs) implements Distribution {
        public Uniform {
            if (leastNs < 0 || mostNs < leastNs || mostNs == Long.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "leastNs=%d, mostNs=%d".formatted(leastNs, mostNs));
            }
        }

        @Override
        public long drawNs(RandomGenerator random) {
            return leastNs == mostNs ? leastNs : random.nextLong(leastNs, mostNs + 1);
        }
    }

    /// Mostly short, rarely long: times between events that know nothing of each other.
    record Exponential(long meanNs) implements Distribution {
        public Exponential {
            if (meanNs < 1) {
                throw new IllegalArgumentException("meanNs=%d, limit=1".formatted(meanNs));
            }
        }

        @Override
        public long drawNs(RandomGenerator random) {
            return (long) (-meanNs * Math.log(1 - random.nextDouble()));
        }
    }
}

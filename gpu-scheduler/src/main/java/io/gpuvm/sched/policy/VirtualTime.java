package io.gpuvm.sched.policy;

import java.util.Arrays;

/// How far each virtual machine has come: engine time that it has used, by its weight. Those that
/// compete for the engine should all have come equally far; where they are together is the mean of
/// their times, weighted.
///
/// Exact: what a division leaves is carried on, so that the deviations of those that compete from
/// their mean, times their weights, always sum up to nothing.
final class VirtualTime {
    /// So that a distance times a weight is still a `long`.
    private static final long FARTHEST = Long.MAX_VALUE / TimeShare.MAX_WEIGHT;

    private long[] times = {};
    private long[] remainders = {};
    private int[] weights = {};
    private boolean[] competing = {};

    /// The mean is this, and a part of a nanosecond: `offset / weight`.
    private long base;

    private long offset;
    private long weight;

    void attach(int vm, int newWeight) {
        if (vm >= times.length) {
            times = Arrays.copyOf(times, vm + 1);
            remainders = Arrays.copyOf(remainders, vm + 1);
            weights = Arrays.copyOf(weights, vm + 1);
            competing = Arrays.copyOf(competing, vm + 1);
        }
        times[vm] = base;
        remainders[vm] = 0;
        weights[vm] = newWeight;
        competing[vm] = false;
    }

    /// Where those that compete are together; where the last of them was, if none does. Nobody who
    /// has come no farther than this has had more than it should.
    long mean() {
        return base;
    }

    long of(int vm) {
        return times[vm];
    }

    int weight(int vm) {
        return weights[vm];
    }

    /// Sum of the weights of those that compete.
    long competingWeight() {
        return weight;
    }

    boolean isCompeting(int vm) {
        return competing[vm];
    }

    /// Whether it has had no more than it should.
    boolean isBehind(int vm) {
        return times[vm] <= base;
    }

    /// It competes from now on. What it was ahead it still is; it is no farther behind than
    /// allowed.
    void join(int vm, long behindLimit) {
        times[vm] = Math.max(times[vm], base - behindLimit);
        competing[vm] = true;
        weight += weights[vm];
        offset += weights[vm] * (times[vm] - base);
        settle();
    }

    void leave(int vm) {
        competing[vm] = false;
        offset -= weights[vm] * (times[vm] - base);
        weight -= weights[vm];
        settle();
    }

    /// It has used engine time.
    void advance(int vm, long ns) {
        long sum = ns + remainders[vm];
        long step = sum / weights[vm];
        remainders[vm] = sum % weights[vm];
        times[vm] += step;
        if (competing[vm]) {
            offset += weights[vm] * step;
            settle();
        }
    }

    /// The same for one that does not compete, so that the mean does not go on with it: afterwards
    /// it is no farther ahead of the mean than allowed, or than it was.
    void advanceUpTo(int vm, long ns, long aheadLimit) {
        long latest = Math.max(times[vm], base + aheadLimit);
        advance(vm, ns);
        times[vm] = Math.min(times[vm], latest);
    }

    /// Changes its weight. It stays ahead of the others or behind them by as much engine time, of
    /// ten days at most.
    void reweigh(int vm, int newWeight) {
        if (newWeight == weights[vm]) {
            return;
        }
        boolean rejoins = competing[vm];
        if (rejoins) {
            leave(vm);
        }
        long aheadNs = Math.clamp(times[vm] - base, -FARTHEST, FARTHEST) * weights[vm];
        times[vm] = base + Math.clamp(aheadNs, -FARTHEST, FARTHEST) / newWeight;
        weights[vm] = newWeight;
        remainders[vm] = 0;
        if (rejoins) {
            join(vm, FARTHEST);
        }
    }

    private void settle() {
        if (weight == 0) {
            offset = 0;
            return;
        }
        long step = Math.floorDiv(offset, weight);
        base += step;
        offset -= step * weight;
    }
}

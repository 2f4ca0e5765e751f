package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Virtual times: the engine time that each virtual machine has used, divided by its weight. All
/// virtual machines that compete for the engine should have the same time; the reference is the
/// weighted mean of their times.
///
/// Exact: remainders of divisions are carried over, so that the deviations of the competing virtual
/// machines from their mean, times their weights, always sum to zero.
final class VirtualTime {
    /// Largest distance of a time from the mean; its product with a weight fits into a `long`.
    private static final long FARTHEST = Long.MAX_VALUE / TimeShare.MAX_WEIGHT;

    private long[] times = {};
    private long[] remainders = {};
    private int[] weights = {};
    private boolean[] competing = {};

    /// Integer part of the mean; the fraction of a nanosecond is `offset / weight`.
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

    /// Returns the mean time of the competing virtual machines; if none competes, the mean at the
    /// time when the last virtual machine stopped competing. A virtual machine whose time is not
    /// after the mean has not had more than its share.
    long mean() {
        return base;
    }

    long of(int vm) {
        return times[vm];
    }

    int weight(int vm) {
        return weights[vm];
    }

    /// Returns the sum of the weights of the competing virtual machines.
    long competingWeight() {
        return weight;
    }

    boolean isCompeting(int vm) {
        return competing[vm];
    }

    /// Returns whether a virtual machine has had no more than its share.
    boolean isBehind(int vm) {
        return times[vm] <= base;
    }

    /// Lets a virtual machine compete from now on. An earlier lead remains; a lag above the limit
    /// is reduced to the limit.
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

    /// Advances the time of a virtual machine by engine time that it has used.
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

    /// Advances the time of a virtual machine that does not compete, so that the mean does not
    /// change. Afterwards its lead is at most the limit, or its previous lead if that is greater.
    void advanceUpTo(int vm, long ns, long aheadLimit) {
        long latest = Math.max(times[vm], base + aheadLimit);
        advance(vm, ns);
        times[vm] = Math.min(times[vm], latest);
    }

    /// Changes the weight. The virtual machine's lead or lag stays the same in engine time, limited
    /// to ten days.
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

package io.gpuvm.sched.policy;

import java.util.Arrays;

/// How long virtual machines take from the end of a command to their next one, learned from their
/// own gaps: mean and mean deviation, as TCP estimates round-trip times (RFC 6298).
final class Gaps {
    private static final int MEAN_SHIFT = 3;
    private static final int DEVIATION_SHIFT = 2;
    private static final int DEVIATIONS = 4;

    /// The least estimate: one of so many parts of the longest one.
    private static final int LEAST_PART = 4;

    private final long limitNs;
    private long[] means = {};
    private long[] deviations = {};
    private boolean[] known = {};

    /// @param limitNs a gap that is longer is of no interest; an estimate never is
    Gaps(long limitNs) {
        this.limitNs = limitNs;
    }

    void attach(int vm) {
        if (vm >= means.length) {
            means = Arrays.copyOf(means, vm + 1);
            deviations = Arrays.copyOf(deviations, vm + 1);
            known = Arrays.copyOf(known, vm + 1);
        }
        known[vm] = false;
    }

    void learn(int vm, long gapNs) {
        // So that a pause is forgotten after some gaps as they usually are.
        long sample = Math.min(gapNs, 2 * limitNs);
        if (!known[vm]) {
            known[vm] = true;
            means[vm] = sample;
            deviations[vm] = sample / 2;
            return;
        }
        long error = sample - means[vm];
        means[vm] += error >> MEAN_SHIFT;
        deviations[vm] += (Math.abs(error) - deviations[vm]) >> DEVIATION_SHIFT;
    }

    /// Whether it usually comes back within the limit, and within a time that pays.
    boolean isShort(int vm, long paysNs) {
        return known[vm] && means[vm] <= Math.min(limitNs, paysNs);
    }

    /// When it should have come back, after the end of a command: nearly always earlier. More than
    /// what its gaps are when they are all alike, so that then it is in time; and no less than a
    /// part of what pays, because what holds up a thread every now and then, on its host or in its
    /// machine, takes longer than a short gap, and one in a hundred is too often to be taken for a
    /// pause.
    ///
    /// @param paysNs how long it pays to wait; the result is no longer
    long estimateNs(int vm, long paysNs) {
        long mostNs = Math.min(limitNs, paysNs);
        long usualNs = known[vm] ? means[vm] + DEVIATIONS * deviations[vm] + 1 : limitNs;
        return Math.clamp(usualNs, mostNs / LEAST_PART, mostNs);
    }
}

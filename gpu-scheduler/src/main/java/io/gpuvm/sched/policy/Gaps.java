package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Estimates of gaps: times from the end of a command to the next command of the same virtual
/// machine. Based on mean and mean deviation of the virtual machine's gaps, as TCP's estimates of
/// round-trip times are (RFC 6298).
final class Gaps {
    private static final int MEAN_SHIFT = 3;
    private static final int DEVIATION_SHIFT = 2;
    private static final int DEVIATIONS = 4;

    /// Divisor for the minimum estimate: 1/4 of the maximum estimate.
    private static final int LEAST_PART = 4;

    private final long limitNs;
    private long[] means = {};
    private long[] deviations = {};
    private boolean[] known = {};

    /// @param limitNs upper bound of an estimate; longer gaps are not short
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
        // Limits the effect of a pause, so that a few usual gaps cancel it.
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

    /// Returns whether the gaps are usually within the limit, and within the longest worthwhile
    /// wait.
    boolean isShort(int vm, long paysNs) {
        return known[vm] && means[vm] <= Math.min(limitNs, paysNs);
    }

    /// Returns the time after the end of a command by which the next command should have arrived;
    /// nearly all commands arrive earlier. The estimate exceeds the mean gap even if all gaps are
    /// equal, so that commands after equal gaps are in time. It is at least a fraction of the
    /// longest worthwhile wait, because an occasional delay of a thread, on the host or in the
    /// virtual machine, takes longer than a short gap. If one gap in a hundred has such a delay, it
    /// must not count as a pause.
    ///
    /// @param paysNs longest worthwhile wait; upper bound of the result
    long estimateNs(int vm, long paysNs) {
        long mostNs = Math.min(limitNs, paysNs);
        long usualNs = known[vm] ? means[vm] + DEVIATIONS * deviations[vm] + 1 : limitNs;
        return Math.clamp(usualNs, mostNs / LEAST_PART, mostNs);
    }
}

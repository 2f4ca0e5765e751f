package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Usual length of each virtual machine's commands in nanoseconds, estimated from its past
/// commands.
final class Lengths {
    /// Binary logarithm of the divisor: a new command counts for 1/4 of the estimate.
    private static final int SHIFT = 2;

    private long[] lengths = {};
    private boolean[] known = {};

    void attach(int vm) {
        if (vm >= lengths.length) {
            lengths = Arrays.copyOf(lengths, vm + 1);
            known = Arrays.copyOf(known, vm + 1);
        }
        lengths[vm] = 0;
        known[vm] = false;
    }

    void learn(int vm, long usedNs) {
        lengths[vm] = known[vm] ? lengths[vm] + ((usedNs - lengths[vm]) >> SHIFT) : usedNs;
        known[vm] = true;
    }

    /// Returns the usual length; 0 if no command has ended yet.
    long ofNs(int vm) {
        return lengths[vm];
    }

    /// Returns whether a command of the virtual machine has ended.
    boolean isKnown(int vm) {
        return known[vm];
    }
}

package io.gpuvm.sched.policy;

import java.util.Arrays;

/// How long commands of each virtual machine usually take: nanoseconds, learned from its own.
final class Lengths {
    /// What is learned of a new command's length: one part of so many.
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

    /// The usual length; 0 if no command has ended yet.
    long ofNs(int vm) {
        return lengths[vm];
    }

    /// Whether a command has ended yet.
    boolean isKnown(int vm) {
        return known[vm];
    }
}

package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Earliest start times of virtual machines with a cap: a command delays the next command by its
/// engine time divided by the cap. A virtual machine that other virtual machines delayed may make
/// up for at most the longest recent command. Over any interval, a virtual machine therefore uses
/// at most its cap plus one command. Times are in nanoseconds.
final class Caps {
    private static final long PERCENT = 100;

    /// Length of the longest recent command.
    private final Longest longestNs = new Longest();

    private int[] percents = {};
    private long[] notBeforeNs = {};

    void attach(int vm, int percent, long nowNs) {
        if (vm >= percents.length) {
            percents = Arrays.copyOf(percents, vm + 1);
            notBeforeNs = Arrays.copyOf(notBeforeNs, vm + 1);
        }
        percents[vm] = percent;
        notBeforeNs[vm] = nowNs;
    }

    /// Sets a new cap from now on; the delay due to the former cap is cancelled.
    void change(int vm, int percent, long nowNs) {
        if (percents[vm] != percent) {
            percents[vm] = percent;
            notBeforeNs[vm] = Math.min(notBeforeNs[vm], nowNs);
        }
    }

    /// Records the end of a command of any virtual machine.
    void see(long usedNs, long nowNs) {
        longestNs.see(usedNs, nowNs);
    }

    /// Charges a virtual machine for engine time that it has used.
    void charge(int vm, long usedNs, long nowNs) {
        if (percents[vm] < TimeShare.NO_CAP) {
            long heldUpNs = Math.max(usedNs, longestNs.get(nowNs));
            long earliestNs = Math.max(notBeforeNs[vm], nowNs - usedNs - heldUpNs);
            notBeforeNs[vm] = earliestNs + usedNs * PERCENT / percents[vm];
        }
    }

    /// Returns whether the cap holds a virtual machine back now.
    boolean isHeld(int vm, long nowNs) {
        return percents[vm] < TimeShare.NO_CAP && notBeforeNs[vm] > nowNs;
    }

    /// Returns the earliest start of a virtual machine that is held back.
    long notBeforeNs(int vm) {
        return notBeforeNs[vm];
    }
}

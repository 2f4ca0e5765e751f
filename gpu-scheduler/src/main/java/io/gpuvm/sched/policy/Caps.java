package io.gpuvm.sched.policy;

import java.util.Arrays;

/// When virtual machines with a cap may start their next commands: one delays the next by what it
/// used, over the cap. A virtual machine that others held up may make up for the longest command of
/// late, so that over any time it has at most its cap and one command. Times are nanoseconds.
final class Caps {
    private static final long PERCENT = 100;

    /// Longest command of late.
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

    /// Another cap holds from now on; what the former one delayed is forgiven.
    void change(int vm, int percent, long nowNs) {
        if (percents[vm] != percent) {
            percents[vm] = percent;
            notBeforeNs[vm] = Math.min(notBeforeNs[vm], nowNs);
        }
    }

    /// A command has ended, of anybody.
    void see(long usedNs, long nowNs) {
        longestNs.see(usedNs, nowNs);
    }

    /// A virtual machine has used engine time.
    void charge(int vm, long usedNs, long nowNs) {
        if (percents[vm] < TimeShare.NO_CAP) {
            long heldUpNs = Math.max(usedNs, longestNs.get(nowNs));
            long earliestNs = Math.max(notBeforeNs[vm], nowNs - usedNs - heldUpNs);
            notBeforeNs[vm] = earliestNs + usedNs * PERCENT / percents[vm];
        }
    }

    /// Whether its cap holds it back now.
    boolean isHeld(int vm, long nowNs) {
        return percents[vm] < TimeShare.NO_CAP && notBeforeNs[vm] > nowNs;
    }

    /// When one that is held back may start.
    long notBeforeNs(int vm) {
        return notBeforeNs[vm];
    }
}

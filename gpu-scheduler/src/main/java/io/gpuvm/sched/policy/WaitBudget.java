package io.gpuvm.sched.policy;

import java.util.Arrays;

/// What an engine's waits for virtual machines may cost: a part of each one's share of the engine
/// time that went by, and the same part of all of it for the engine. What was not spent is saved
/// up, to a limit.
///
/// A virtual machine's waits are paid from its part of the time, whether it got it or not: one that
/// is not waited for gets less, and would never be waited for again. Times are nanoseconds.
final class WaitBudget {
    /// Waits that may be saved up, in longest waits.
    private static final long SAVED_WAITS = 20;

    private static final long PERCENT = 100;

    private final VirtualTime time;
    private final long limitNs;
    private final int waitPercent;

    /// By virtual machine: what may be spent, and how much engine time there had been when it was
    /// earned.
    private long[] savedNs = {};

    private long[] earnedAtNs = {};
    private long engineSavedNs;
    private long totalUsedNs;

    /// @param time weights of those that compete
    /// @param longestWaitNs the longest wait
    /// @param waitPercent part of the engine time that waits may cost
    WaitBudget(VirtualTime time, long longestWaitNs, int waitPercent) {
        this.time = time;
        this.waitPercent = waitPercent;
        limitNs = SAVED_WAITS * longestWaitNs;
    }

    void attach(int vm) {
        if (vm >= savedNs.length) {
            savedNs = Arrays.copyOf(savedNs, vm + 1);
            earnedAtNs = Arrays.copyOf(earnedAtNs, vm + 1);
        }
        savedNs[vm] = 0;
        earnedAtNs[vm] = totalUsedNs;
    }

    /// Engine time was used, by anybody.
    void earn(long usedNs) {
        totalUsedNs += usedNs;
        engineSavedNs = saved(engineSavedNs, usedNs);
    }

    /// Whether a wait for a virtual machine can be paid.
    boolean affords(int vm, long waitNs) {
        long partNs = (totalUsedNs - earnedAtNs[vm]) / time.competingWeight() * time.weight(vm);
        savedNs[vm] = saved(savedNs[vm], partNs);
        earnedAtNs[vm] = totalUsedNs;
        return waitNs <= savedNs[vm] && waitNs <= engineSavedNs;
    }

    /// The engine has waited for a virtual machine.
    void spend(int vm, long waitedNs) {
        savedNs[vm] -= waitedNs;
        engineSavedNs -= waitedNs;
    }

    private long saved(long hadNs, long partNs) {
        return Math.min(hadNs + partNs * waitPercent / PERCENT, limitNs);
    }
}

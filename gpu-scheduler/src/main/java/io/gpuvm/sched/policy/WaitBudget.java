package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Budget of an engine's waits for virtual machines. Each virtual machine's budget is a part of its
/// share of the used engine time; the engine's budget is the same part of all used engine time.
/// Unspent budget accumulates up to a limit.
///
/// A virtual machine's budget grows with the time to which it is entitled, whether or not it got
/// that time. A virtual machine for which the engine does not wait gets less time, and would
/// otherwise never be waited for again. Times are in nanoseconds.
final class WaitBudget {
    /// Limit of the accumulated budget, as a multiple of the longest wait.
    private static final long SAVED_WAITS = 20;

    private static final long PERCENT = 100;

    private final VirtualTime time;
    private final long limitNs;
    private final int waitPercent;

    /// Unspent budget, by virtual machine.
    private long[] savedNs = {};

    /// Total engine time up to which the budget was earned, by virtual machine.
    private long[] earnedAtNs = {};

    private long engineSavedNs;
    private long totalUsedNs;

    /// @param time weights of the virtual machines that compete
    /// @param longestWaitNs the longest wait
    /// @param waitPercent part of the engine time that waits may cost, in percent
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

    /// Adds engine time that was used by any virtual machine.
    void earn(long usedNs) {
        totalUsedNs += usedNs;
        engineSavedNs = saved(engineSavedNs, usedNs);
    }

    /// Returns whether the budget covers a wait for a virtual machine.
    boolean affords(int vm, long waitNs) {
        long partNs = (totalUsedNs - earnedAtNs[vm]) / time.competingWeight() * time.weight(vm);
        savedNs[vm] = saved(savedNs[vm], partNs);
        earnedAtNs[vm] = totalUsedNs;
        return waitNs <= savedNs[vm] && waitNs <= engineSavedNs;
    }

    /// Deducts a wait of the engine for a virtual machine.
    void spend(int vm, long waitedNs) {
        savedNs[vm] -= waitedNs;
        engineSavedNs -= waitedNs;
    }

    private long saved(long hadNs, long partNs) {
        return Math.min(hadNs + partNs * waitPercent / PERCENT, limitNs);
    }
}

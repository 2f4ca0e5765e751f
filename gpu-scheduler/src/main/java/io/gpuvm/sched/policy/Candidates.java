package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Those that wait for the engine and compete for it, in the order of FAIR: first those that are
/// eligible, by deadline, then those that are ahead of the mean, by time. One that comes back after
/// a pause is eligible, and before all others, until it has run.
final class Candidates {
    /// Deadline of the first that came back; before all others.
    private static final long AT_ONCE = Long.MIN_VALUE / 2;

    private final VirtualTime time;
    private final Lengths lengths;

    /// Those that were eligible when they were put here, by deadline.
    private final VmHeap eligible = new VmHeap();

    /// Those that were not, by time.
    private final VmHeap ahead = new VmHeap();

    /// By virtual machine: whether it has come back, and its deadline if so.
    private boolean[] returned = {};

    private long[] deadlines = {};
    private long returns;

    Candidates(VirtualTime time, Lengths lengths) {
        this.time = time;
        this.lengths = lengths;
    }

    void attach(int vm) {
        if (vm >= returned.length) {
            returned = Arrays.copyOf(returned, vm + 1);
            deadlines = Arrays.copyOf(deadlines, vm + 1);
        }
        returned[vm] = false;
        eligible.reserve(vm);
        ahead.reserve(vm);
    }

    /// It is back after a pause: if it is not ahead it goes first, once.
    void welcome(int vm) {
        returned[vm] = time.isBehind(vm);
        deadlines[vm] = AT_ONCE + returns++;
    }

    /// It runs: next time it is one of many.
    void forgetReturn(int vm) {
        returned[vm] = false;
    }

    /// Sorts in one that waits and competes.
    void place(int vm) {
        if (isEligible(vm)) {
            ahead.remove(vm);
            long deadline = time.of(vm) + lengths.ofNs(vm) / time.weight(vm);
            eligible.put(vm, returned[vm] ? deadlines[vm] : deadline);
        } else {
            eligible.remove(vm);
            ahead.put(vm, time.of(vm));
        }
    }

    void remove(int vm) {
        eligible.remove(vm);
        ahead.remove(vm);
    }

    /// The eligible one with the earliest deadline; [SchedulingPolicy#NOBODY] if none is eligible.
    int firstEligible() {
        while (!ahead.isEmpty() && isEligible(ahead.first())) {
            place(ahead.first());
        }
        // The mean may have gone back when somebody left.
        while (!eligible.isEmpty() && !isEligible(eligible.first())) {
            place(eligible.first());
        }
        return eligible.isEmpty() ? SchedulingPolicy.NOBODY : eligible.first();
    }

    /// The one that is least ahead of those that are not eligible; [SchedulingPolicy#NOBODY] if all
    /// are.
    int leastAhead() {
        return ahead.isEmpty() ? SchedulingPolicy.NOBODY : ahead.first();
    }

    private boolean isEligible(int vm) {
        return returned[vm] || time.isBehind(vm);
    }
}

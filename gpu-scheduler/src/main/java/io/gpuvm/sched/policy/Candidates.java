package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Virtual machines that wait and compete for the engine, in the order of FAIR: first the eligible
/// virtual machines by deadline, then the remaining virtual machines by virtual time. A virtual
/// machine that returns after a pause and is not ahead is eligible, and precedes all others, until
/// it has run.
final class Candidates {
    /// Deadline of the first virtual machine that returned; earlier than all other deadlines.
    private static final long AT_ONCE = Long.MIN_VALUE / 2;

    private final VirtualTime time;
    private final Lengths lengths;

    /// Virtual machines that were eligible when they were inserted, by deadline.
    private final VmHeap eligible = new VmHeap();

    /// Virtual machines that were not eligible when they were inserted, by virtual time.
    private final VmHeap ahead = new VmHeap();

    /// True for each virtual machine that was not ahead when it returned after a pause, and has not
    /// run since; `deadlines` contains its deadline.
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

    /// Records a return after a pause: a virtual machine that is not ahead precedes all others
    /// until it has run.
    void welcome(int vm) {
        returned[vm] = time.isBehind(vm);
        deadlines[vm] = AT_ONCE + returns++;
    }

    /// Called when a virtual machine runs: its next command has no precedence.
    void forgetReturn(int vm) {
        returned[vm] = false;
    }

    /// Inserts a virtual machine that waits and competes, or moves it to its new position.
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

    /// Returns the eligible virtual machine with the earliest deadline; [SchedulingPolicy#NOBODY]
    /// if none is eligible.
    int firstEligible() {
        while (!ahead.isEmpty() && isEligible(ahead.first())) {
            place(ahead.first());
        }
        // The mean may have moved back when a virtual machine left.
        while (!eligible.isEmpty() && !isEligible(eligible.first())) {
            place(eligible.first());
        }
        return eligible.isEmpty() ? SchedulingPolicy.NOBODY : eligible.first();
    }

    /// Returns the virtual machine that is least ahead among those not eligible;
    /// [SchedulingPolicy#NOBODY] if all are eligible.
    int leastAhead() {
        return ahead.isEmpty() ? SchedulingPolicy.NOBODY : ahead.first();
    }

    private boolean isEligible(int vm) {
        return returned[vm] || time.isBehind(vm);
    }
}

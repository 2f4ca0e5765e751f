package io.gpuvm.sched;

import java.util.List;

/// Decides whose command runs next. A pure function of what it is told: it has no clock, no thread
/// and no GPU, so that a recorded run can be played again.
public interface SchedulingPolicy {
    /// Chooses among virtual machines.
    ///
    /// @param accounts all that are attached, in no particular order
    /// @param nowNs the time
    /// @return one whose queue is not empty, or null to let the GPU wait
    VmAccount next(List<VmAccount> accounts, long nowNs);

    /// A command has completed.
    ///
    /// @param usedNs GPU time that it took
    default void onCompleted(VmAccount who, long usedNs, long nowNs) {}
}

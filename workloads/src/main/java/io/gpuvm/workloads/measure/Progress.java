package io.gpuvm.workloads.measure;

/// Listener of a measurement's progress, called on the measuring thread.
@FunctionalInterface
public interface Progress {
    /// @param round number of the round, from 0; negative for warm-ups
    void before(int round, Task task, String configuration);
}

package io.gpuvm.workloads.measure;

/// Listener of a measurement's progress, called on the measuring thread.
@FunctionalInterface
public interface Progress {
    /// Called before a task runs in a configuration.
    ///
    /// @param round number of the round, from 0; negative for warm-ups
    /// @param configuration name of the configuration
    void before(int round, Task task, String configuration);
}

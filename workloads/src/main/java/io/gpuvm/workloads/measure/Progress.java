package io.gpuvm.workloads.measure;

/// Told what a measurement is about to do, on its thread.
@FunctionalInterface
public interface Progress {
    /// @param round from 0; warm-ups are negative
    void before(int round, Task task, String configuration);
}

package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Workload;

/// Workload with a size.
public record Task(Workload workload, int size) {
    /// @throws IllegalArgumentException if the workload does not permit the size
    public Task {
        workload.size().check(size);
    }

    /// Returns a workload with its usual size.
    public static Task usual(Workload workload) {
        return new Task(workload, workload.size().usual());
    }
}

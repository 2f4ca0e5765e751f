package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Workload;

/// A workload of a size.
public record Task(Workload workload, int size) {
    /// @throws IllegalArgumentException if the workload does not take that size
    public Task {
        workload.size().check(size);
    }

    /// A workload of its usual size.
    public static Task usual(Workload workload) {
        return new Task(workload, workload.size().usual());
    }
}

package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.GpuContext;

/// Program that can be run repeatedly, in any context.
///
/// Immutable; any thread.
public interface Workload {
    /// Returns the name for users, in lower case.
    String name();

    /// Returns the workload's summary in one sentence: its computation, and the resources that it
    /// stresses.
    String summary();

    /// Returns the permitted sizes.
    WorkloadSize size();

    /// Returns a new run. Its input is determined by size and seed alone.
    ///
    /// @throws IllegalArgumentException if [#size()] does not allow the size
    WorkloadRun prepare(GpuContext context, int size, long seed);
}

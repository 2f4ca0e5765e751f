package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.GpuContext;

/// A program that can be run, again and again, in any context.
///
/// Immutable; any thread.
public interface Workload {
    /// How users call it: lower case.
    String name();

    /// One sentence: what it computes, and what it strains.
    String summary();

    /// Which sizes it takes.
    WorkloadSize size();

    /// One run, with nothing done yet. Its input follows from size and seed alone.
    ///
    /// @throws IllegalArgumentException if [#size()] does not allow the size
    WorkloadRun prepare(GpuContext context, int size, long seed);
}

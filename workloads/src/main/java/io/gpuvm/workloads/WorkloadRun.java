package io.gpuvm.workloads;

/// One run of a workload. The caller calls the phases in the order of their declarations, and
/// finally [#close()], even after a failure. Each phase is complete when it returns, so that it can
/// be timed. The phases from [#wipe()] to [#work()] may be repeated, with the same effects.
///
/// Confined to one thread.
public interface WorkloadRun extends AutoCloseable {
    /// Loads the module and allocates memory on the GPU.
    void initialize();

    /// Overwrites the run's memory on the GPU: an earlier run with the same input may have left its
    /// result in that memory, which must not be mistaken for the result of this run. This phase is
    /// not timed. It has no effect on a run without such memory.
    default void wipe() {}

    /// Copies the input to the GPU.
    void copyIn();

    /// Launches the kernels.
    void launch();

    /// Copies the result from the GPU.
    void copyOut();

    /// Computes the result on the CPU, and compares it with the GPU's.
    ///
    /// @throws WrongResultException at the first difference
    void verify();

    /// Returns the work of the run since the last [#wipe()], or since the start if the memory was
    /// never wiped.
    Work work();

    /// Frees the run's resources on the GPU.
    @Override
    void close();
}

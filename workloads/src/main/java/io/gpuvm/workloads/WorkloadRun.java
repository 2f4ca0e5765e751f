package io.gpuvm.workloads;

/// One run of a workload. The caller calls the phases in the order of their declarations here; each
/// is complete when it returns, so that it can be timed. Then it calls [#close()], also after a
/// failure. The phases from [#wipe()] to [#work()] may be repeated, with the same effects.
///
/// Confined to one thread.
public interface WorkloadRun extends AutoCloseable {
    /// Loads the module and allocates memory on the GPU.
    void initialize();

    /// Overwrites the GPU's memory that was allocated: an earlier run of the same input may have
    /// left its result there, which must not pass for this run's. Not timed. Does nothing for a run
    /// without such memory.
    default void wipe() {}

    /// Copies the input to the GPU.
    void copyIn();

    /// Launches the kernels.
    void launch();

    /// Copies the result from the GPU.
    void copyOut();

    /// Computes the result on the CPU, and compares.
    ///
    /// @throws WrongResultException at the first difference
    void verify();

    /// Work of the run, since [#wipe()] if that was called.
    Work work();

    /// Frees the run's resources on the GPU.
    @Override
    void close();
}

package io.gpuvm.workloads;

/// One run of a workload. The phases are called in the order in which they stand here, each
/// complete when it returns, so that each can be timed; then [#close()], whatever happened. Those
/// from [#wipe()] to [#work()] may follow again, and do the same again.
///
/// Confined to one thread.
public interface WorkloadRun extends AutoCloseable {
    /// Loads the module and allocates memory on the GPU.
    void initialize();

    /// Overwrites the GPU's memory that was allocated: an earlier run of the same input may have
    /// left its result there, which must not pass for this one's. Not timed. Nothing to do for a
    /// run that has no such memory.
    default void wipe() {}

    /// Copies the input to the GPU.
    void copyIn();

    /// Computes.
    void launch();

    /// Copies the result from the GPU.
    void copyOut();

    /// Computes the same on the CPU, and compares.
    ///
    /// @throws WrongResultException at the first place where the two differ
    void verify();

    /// How much work that was, since [#wipe()] if it was called.
    Work work();

    /// Frees what this run holds on the GPU.
    @Override
    void close();
}

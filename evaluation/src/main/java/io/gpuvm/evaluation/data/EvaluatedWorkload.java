package io.gpuvm.evaluation.data;

/// Workload of an evaluation.
///
/// @param size size of the problem, in units of `sizeMeaning`
/// @param sizeMeaning unit of the size, for instance `rows and columns`
/// @param work work of a run, or null if no run has completed
public record EvaluatedWorkload(String name, int size, String sizeMeaning, WorkAmount work) {
    /// Work of a run.
    ///
    /// @param bytesIn bytes that are copied to the GPU
    /// @param bytesOut bytes that are copied from the GPU
    /// @param launches number of launches
    /// @param operations number of operations of the kernels
    /// @param unit unit of the operations
    public record WorkAmount(
            long bytesIn, long bytesOut, long launches, long operations, String unit) {}
}

package io.gpuvm.workloads;

/// Amount of work of a run.
///
/// @param bytesIn bytes that [WorkloadRun#copyIn()] copies
/// @param bytesOut bytes that [WorkloadRun#copyOut()] copies
/// @param launches number of launches of [WorkloadRun#launch()]
/// @param operations number of operations of the kernels, 0 if they have none
/// @param unit unit of the operations: `flop`, `op`, `edges`, ...
public record Work(long bytesIn, long bytesOut, long launches, long operations, String unit) {}

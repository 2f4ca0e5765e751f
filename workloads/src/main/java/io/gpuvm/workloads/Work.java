package io.gpuvm.workloads;

/// How much a run does.
///
/// @param bytesIn bytes that [WorkloadRun#copyIn()] moves
/// @param bytesOut bytes that [WorkloadRun#copyOut()] moves
/// @param launches kernels that [WorkloadRun#launch()] runs
/// @param operations how much they compute, 0 if they do not
/// @param unit what is counted: `flop`, `op`, `edges`, ...
public record Work(long bytesIn, long bytesOut, long launches, long operations, String unit) {}

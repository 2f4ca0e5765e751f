package io.gpuvm.evaluation.data;

/// Time from the submission of an empty kernel to an idle GPU until the program sees the
/// completion.
///
/// @param configuration name of the configuration
/// @param round number of the round, from 0
/// @param ns median of the round's launches, in nanoseconds
public record QueueDelay(String configuration, int round, long ns) {}

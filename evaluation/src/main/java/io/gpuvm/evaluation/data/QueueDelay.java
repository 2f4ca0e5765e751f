package io.gpuvm.evaluation.data;

/// Delay of an empty kernel on an idle GPU: the time from its submission until the program sees its
/// completion.
///
/// @param configuration name of the configuration
/// @param round number of the round, from 0
/// @param ns median of the round's launches, in nanoseconds
public record QueueDelay(String configuration, int round, long ns) {}

package io.gpuvm.evaluation.data;

/// Missing result.
///
/// @param section section of the data in which the result is missing, for instance `samples`
/// @param configuration name of the configuration
/// @param workload name of the workload, or null for all results of the configuration in the round
/// @param round number of the round, from 0
/// @param skipped whether the result was not attempted
/// @param reason reason for the gap, with the failure's message
public record ResultGap(
        String section,
        String configuration,
        String workload,
        int round,
        boolean skipped,
        String reason) {}

package io.gpuvm.evaluation.data;

/// Run of the synthetic program, whose transfers take a given share of its time with the baseline.
///
/// @param configuration name of the configuration
/// @param sharePercent nominal share of the transfers in the program's time, in percent
/// @param bytes bytes that the program copies
/// @param round number of the round, from 0
/// @param totalNs duration of the program, in nanoseconds
public record TransferSample(
        String configuration, int sharePercent, long bytes, int round, long totalNs) {}

package io.gpuvm.evaluation.data;

import java.util.List;

/// Runs of a workload in several guests at once.
///
/// @param configuration name of the configuration
/// @param guests number of guests
/// @param round number of the round, from 0
/// @param workload name of the workload
/// @param guestNs durations of the run, by guest, in nanoseconds
public record ScalingSample(
        String configuration, int guests, int round, String workload, List<Long> guestNs) {
    public ScalingSample {
        guestNs = List.copyOf(guestNs);
    }
}

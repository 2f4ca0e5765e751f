package io.gpuvm.evaluation.data;

/// Run of the workload `mix`, whose transfers have a nominal share of the duration.
///
/// @param configuration name of the configuration
/// @param sharePercent nominal share of the transfers in the duration, in percent
/// @param bytes length of each transfer
/// @param round number of the round, from 0
/// @param totalNs duration of transfers and computation, in nanoseconds
/// @param transferNs duration of the transfers, in nanoseconds
public record TransferSample(
        String configuration,
        int sharePercent,
        long bytes,
        int round,
        long totalNs,
        long transferNs) {
    /// Returns the share of the transfers in the duration, 0 to 1.
    public double share() {
        return totalNs == 0 ? 0 : (double) transferNs / totalNs;
    }
}

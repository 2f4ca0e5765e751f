package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.WorkloadSample.GpuTimes;

/// Rule for valid samples: the software GPU must have executed commands, and its threads must have
/// had a processor meanwhile. Otherwise, another process has delayed these threads, and the sample
/// shows the load of the host. The rule is weak with several workers, whose processor times are
/// summed.
final class ValidityRule {
    /// Minimum processor time of the GPU's threads, as a fraction of the GPU's busy time.
    static final double LEAST_PART = 0.95;

    private static final double PERCENT = 100;
    private static final double NS_PER_MS = 1e6;

    private ValidityRule() {}

    /// Returns the reason why a sample is invalid; null if it is valid.
    ///
    /// @param delayNs time in which the threads waited for a processor
    static String violation(GpuTimes times, long delayNs) {
        if (times.busyNs() <= 0) {
            return "busy time of the GPU: ns=%d, expected at least 1".formatted(times.busyNs());
        }
        if (times.cpuNs() >= LEAST_PART * times.busyNs()) {
            return null;
        }
        return ("the GPU's threads had %.1f %% of its busy time of %.2f ms, limit=%.0f %%; they waited"
                        + " %.2f ms for a processor")
                .formatted(
                        PERCENT * times.cpuNs() / times.busyNs(),
                        times.busyNs() / NS_PER_MS,
                        PERCENT * LEAST_PART,
                        delayNs / NS_PER_MS);
    }
}

package io.gpuvm.bench.fairness;

import java.nio.file.Path;
import java.util.List;

/// A run.
///
/// @param policy the value of the backend's `--policy`, null for its default
/// @param threads the value of the backend's `--threads`
/// @param warmUpSeconds how long the guests share the GPU before it counts
/// @param seconds how long it counts
/// @param recording where the backend records what becomes of commands; null for nowhere
record FairnessPlan(
        List<GuestPlan> guests,
        String policy,
        String threads,
        int warmUpSeconds,
        int seconds,
        Path recording) {
    String policyName() {
        return policy == null ? "default" : policy;
    }
}

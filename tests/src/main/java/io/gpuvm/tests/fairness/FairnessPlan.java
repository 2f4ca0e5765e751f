package io.gpuvm.tests.fairness;

import java.util.List;

/// A run.
///
/// @param policy the value of the backend's `--policy`, null for its default
/// @param threads the value of the backend's `--threads`
/// @param warmUpSeconds how long the guests share the GPU before it counts
/// @param seconds how long it counts
record FairnessPlan(
        List<GuestPlan> guests, String policy, String threads, int warmUpSeconds, int seconds) {
    String policyName() {
        return policy == null ? "default" : policy;
    }
}

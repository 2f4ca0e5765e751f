package io.gpuvm.bench.fairness;

import io.gpuvm.guests.real.HostProcessors;
import java.nio.file.Path;
import java.util.List;

/// Plan of a run of `gpuvm fairness`.
///
/// @param policy value of the backend's `--policy`; null for the backend's default
/// @param threads value of the backend's `--threads`
/// @param warmUpSeconds duration of sharing before the measurement, in seconds
/// @param seconds duration of the measurement, in seconds
/// @param recording folder for the backend's recording of commands; null for no recording
/// @param backendOn processors of the backend
/// @param guestsOn processors of all guests
record FairnessPlan(
        List<GuestPlan> guests,
        String policy,
        String threads,
        int warmUpSeconds,
        int seconds,
        Path recording,
        HostProcessors backendOn,
        HostProcessors guestsOn) {
    String policyName() {
        return policy == null ? "default" : policy;
    }
}

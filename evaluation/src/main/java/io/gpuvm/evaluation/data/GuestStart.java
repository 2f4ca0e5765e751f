package io.gpuvm.evaluation.data;

import java.util.Map;
import java.util.TreeMap;

/// Start of a guest.
///
/// @param configuration name of the configuration
/// @param round number of the round, from 0
/// @param powerOnToProgramNs time from power-on, or from the start of the process, until the
///   program runs, in nanoseconds
/// @param driverNs duration of the driver's start, in nanoseconds; 0 if the guest has no driver
/// @param contextNs time needed to open a context on the GPU, in nanoseconds
/// @param traps traps by region, from power-on until the program runs; the keys are those of
///   [WorkloadSample#counts()]
public record GuestStart(
        String configuration,
        int round,
        long powerOnToProgramNs,
        long driverNs,
        long contextNs,
        Map<String, Long> traps) {
    public GuestStart {
        traps = traps == null ? Map.of() : new TreeMap<>(traps);
    }
}

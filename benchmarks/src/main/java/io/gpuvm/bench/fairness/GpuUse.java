package io.gpuvm.bench.fairness;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;

/// GPU time of each virtual machine of a backend, in seconds: since the backend's start, or since
/// an earlier count.
///
/// @param deviceSeconds time counted by the GPU for all engines, by virtual machine
/// @param chargedSeconds time charged by the scheduler, by virtual machine
record GpuUse(double[] deviceSeconds, double[] chargedSeconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    /// @param summary JSON as in `docs/summary.md`
    static GpuUse of(JsonNode summary) {
        JsonNode vms = summary.path("vms");
        double[] device = new double[vms.size()];
        double[] charged = new double[vms.size()];
        for (int i = 0; i < device.length; i++) {
            for (JsonNode seconds : vms.get(i).path("deviceSeconds")) {
                device[i] += seconds.asDouble();
            }
            charged[i] = vms.get(i).at("/commands/gpuTimeNs").asLong() / NANOS_PER_SECOND;
        }
        return new GpuUse(device, charged);
    }

    /// Returns the use since an earlier count.
    GpuUse since(GpuUse before) {
        return new GpuUse(
                less(deviceSeconds, before.deviceSeconds),
                less(chargedSeconds, before.chargedSeconds));
    }

    private static double[] less(double[] all, double[] before) {
        double[] rest = new double[all.length];
        Arrays.setAll(rest, i -> all[i] - before[i]);
        return rest;
    }
}

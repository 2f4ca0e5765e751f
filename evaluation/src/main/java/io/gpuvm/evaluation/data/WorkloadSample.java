package io.gpuvm.evaluation.data;

import java.util.Map;
import java.util.TreeMap;

/// One verified run of a workload.
///
/// @param configuration name of the configuration
/// @param workload name of the workload
/// @param round number of the round, from 0
/// @param attempt number of the attempt, from 0; an invalid run is repeated
/// @param valid whether the GPU's threads had enough processor time, as `docs/evaluation.md`
///   defines it
/// @param reason reason why the sample is invalid; null if it is valid
/// @param phasesNs durations of the phases by the program's clock
/// @param gpu times of the GPU
/// @param counts counters of the backend during the run, by name; a counter that the configuration
///   lacks is absent
/// @param phaseCounts counters of each phase, by the phase's name and the counter's name; counters
///   that did not change are absent
public record WorkloadSample(
        String configuration,
        String workload,
        int round,
        int attempt,
        boolean valid,
        String reason,
        PhaseTimes phasesNs,
        GpuTimes gpu,
        Map<String, Long> counts,
        Map<String, Map<String, Long>> phaseCounts) {
    public WorkloadSample {
        counts = counts == null ? Map.of() : new TreeMap<>(counts);
        phaseCounts = phaseCounts == null ? Map.of() : new TreeMap<>(phaseCounts);
    }

    /// Durations of phases, in nanoseconds. `docs/workloads.md` defines the phases.
    public record PhaseTimes(
            long initialize, long copyIn, long launch, long copyOut, long close, long total) {
        /// Creates durations with their sum.
        public static PhaseTimes of(
                long initialize, long copyIn, long launch, long copyOut, long close) {
            return new PhaseTimes(
                    initialize,
                    copyIn,
                    launch,
                    copyOut,
                    close,
                    initialize + copyIn + launch + copyOut + close);
        }
    }

    /// Times of the GPU during a run, in nanoseconds.
    ///
    /// @param busyNs time in which the GPU executed commands
    /// @param cpuNs processor time of the software GPU's threads
    /// @param launchBusyNs part of `busyNs` in the phase `launch`
    public record GpuTimes(long busyNs, long cpuNs, long launchBusyNs) {}
}

package io.gpuvm.evaluation;

import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;

/// Durations of a verified run of the workload `mix`, which copies and computes in given
/// proportions.
///
/// @param totalNs duration of both directions of copies and of the computation, in nanoseconds
/// @param transferNs duration of both directions of copies, in nanoseconds
record TransferRun(long totalNs, long transferNs) {
    /// Name of the workload.
    static final String WORKLOAD = "mix";

    /// Returns the task with the given proportions.
    ///
    /// @param sharePercent nominal share of transfers, in percent
    /// @param bytes length of each transfer
    /// @param nominalUs nominal duration of the run, in microseconds
    static Task task(int sharePercent, int bytes, int nominalUs) {
        String name = "%s:share=%d,transfer=%d".formatted(WORKLOAD, sharePercent, bytes);
        return new Task(Workloads.named(name), nominalUs);
    }

    /// Runs a task twice; the first run is a warm-up.
    ///
    /// @throws RefusedRequestException if a run failed, or its result was wrong
    /// @throws GuestLostException if the guest is lost
    static TransferRun measure(MeasuredProgram program, Task task, long seed)
            throws InterruptedException {
        program.ask("run", WorkloadMeasurement.arguments(task, seed));
        ProgramAnswer phases =
                program.ask("run", WorkloadMeasurement.arguments(task, seed)).part("phasesNs");
        long transferNs = phases.ns(Phase.COPY_IN.key()) + phases.ns(Phase.COPY_OUT.key());
        return new TransferRun(transferNs + phases.ns(Phase.LAUNCH.key()), transferNs);
    }
}

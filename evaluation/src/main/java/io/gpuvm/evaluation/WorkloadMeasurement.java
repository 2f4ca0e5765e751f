package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.evaluation.data.WorkloadSample.GpuTimes;
import io.gpuvm.evaluation.data.WorkloadSample.PhaseTimes;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/// Measurement of one verified run of a workload. The counters are read before and after each
/// phase, while the program waits for the next request; preparation, wiping and verification are
/// not counted.
final class WorkloadMeasurement {
    private final MeasuredGuest guest;
    private final Map<Phase, Long> ns = new EnumMap<>(Phase.class);
    private final Map<String, Map<String, Long>> phaseCounts = new TreeMap<>();
    private GpuReading sum = GpuReading.NONE;
    private long launchBusyNs;
    private WorkAmount work;

    private WorkloadMeasurement(MeasuredGuest guest) {
        this.guest = guest;
    }

    /// Result of a run, with the work that the program has reported, or null if it has reported
    /// none.
    record Result(WorkloadSample sample, WorkAmount work) {}

    /// Runs a workload once.
    ///
    /// @param configuration name of the configuration
    /// @throws RefusedRequestException if the run failed, or its result was wrong
    /// @throws GuestLostException if the guest is lost
    static Result run(
            MeasuredGuest guest, String configuration, Task task, long seed, int round, int attempt)
            throws InterruptedException {
        WorkloadMeasurement measurement = new WorkloadMeasurement(guest);
        measurement.run(task, seed);
        return new Result(
                measurement.sample(configuration, task, round, attempt), measurement.work);
    }

    private void run(Task task, long seed) throws InterruptedException {
        MeasuredProgram program = guest.program();
        program.ask("prepare", arguments(task, seed));
        for (Phase phase : Phase.values()) {
            if (phase == Phase.CLOSE) {
                program.ask("verify");
            }
            run(phase);
            if (phase == Phase.INITIALIZE) {
                program.ask("wipe");
            }
        }
    }

    /// Returns the arguments of a request that prepares a run.
    static ObjectNode arguments(Task task, long seed) {
        return MeasuredProgram.arguments()
                .put("workload", task.workload().name())
                .put("size", task.size())
                .put("seed", seed);
    }

    private void run(Phase phase) throws InterruptedException {
        GpuReading before = guest.read();
        ProgramAnswer answer =
                guest.program().ask("phase", MeasuredProgram.arguments().put("phase", phase.key()));
        GpuReading used = guest.read().since(before);
        ns.put(phase, answer.ns());
        sum = sum.plus(used);
        phaseCounts.put(phase.key(), used.changed());
        if (phase == Phase.LAUNCH) {
            launchBusyNs = used.busyNs();
        }
        WorkAmount done = answer.work();
        if (done != null) {
            work = done;
        }
    }

    private WorkloadSample sample(String configuration, Task task, int round, int attempt) {
        if (ns.values().stream().allMatch(each -> each == 0)) {
            throw new GuestLostException(
                    "answers: ns=0 in all phases, expected a sum of at least 1");
        }
        GpuTimes gpu = new GpuTimes(sum.busyNs(), sum.cpuNs(), launchBusyNs);
        String violation =
                ValidityRule.violation(gpu, sum.counts().getOrDefault(GpuReading.DELAY, 0L));
        return new WorkloadSample(
                configuration,
                task.workload().name(),
                round,
                attempt,
                violation == null,
                violation,
                PhaseTimes.of(
                        ns.get(Phase.INITIALIZE),
                        ns.get(Phase.COPY_IN),
                        ns.get(Phase.LAUNCH),
                        ns.get(Phase.COPY_OUT),
                        ns.get(Phase.CLOSE)),
                gpu,
                sum.counts(),
                phaseCounts);
    }
}

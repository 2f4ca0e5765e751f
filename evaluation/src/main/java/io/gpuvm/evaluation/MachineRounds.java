package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.List;

/// Rounds of the configurations whose guests are virtual machines. A step boots one guest, in which
/// one program measures all results of its configuration in the round. One thread.
final class MachineRounds {
    private final EvaluationPlan plan;
    private final Journal journal;
    private final EvaluationRun.MachineStarter starter;
    private final ProgressReport progress;
    private final GuestMeasurements measurements;

    MachineRounds(
            EvaluationPlan plan,
            Journal journal,
            EvaluationRun.MachineStarter starter,
            ProgressReport progress) {
        this.plan = plan;
        this.journal = journal;
        this.starter = starter;
        this.progress = progress;
        measurements = new GuestMeasurements(plan, journal, progress::part);
    }

    /// Returns the steps of a round, one for each configuration.
    List<EvaluationStep> steps(int round) {
        List<EvaluationStep> steps = new ArrayList<>();
        for (AccessConfiguration each : plan.order(true, round)) {
            steps.add(
                    new EvaluationStep(
                            "machine" + TimeBudget.SEPARATOR + each.key(),
                            "%s, round %d of %d"
                                    .formatted(each.key(), round + 1, plan.roundsOf(true)),
                            round > 0,
                            () ->
                                    measurements.hasWorkloads(each, round)
                                            && measurements.hasOthers(each, round),
                            () -> measure(each, round),
                            (reason, skipped) ->
                                    measurements.gap(
                                            EvaluationSection.SAMPLES,
                                            each,
                                            null,
                                            round,
                                            skipped,
                                            reason)));
        }
        return steps;
    }

    /// Adds a gap with the first complaint. The others usually continue it, line by line.
    private void addComplaints(
            List<String> complaints, AccessConfiguration configuration, int round) {
        if (complaints.isEmpty()) {
            return;
        }
        String reason = "%s (failures=%d)".formatted(complaints.getFirst(), complaints.size());
        progress.note("%s: %s".formatted(configuration.key(), reason));
        measurements.gap(EvaluationSection.STARTS, configuration, null, round, false, reason);
    }

    private void measure(AccessConfiguration configuration, int round) throws InterruptedException {
        progress.part("power-on");
        try (MeasuredGuest guest = starter.start(configuration)) {
            journal.add(EvaluationSection.STARTS, guest.start(round));
            measurements.warmUp(guest, configuration, 0);
            for (Task task : plan.tasks()) {
                if (!measurements.hasWorkload(configuration, task.workload().name(), round)) {
                    measurements.workload(guest, configuration, task, round);
                }
            }
            if (!measurements.hasOthers(configuration, round)) {
                measurements.others(guest, configuration, round);
            }
            addComplaints(guest.complaints(), configuration, round);
        }
    }
}

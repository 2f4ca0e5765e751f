package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.List;

/// Rounds of the configurations whose guests are virtual machines. A step boots one guest, in which
/// one program measures all results of its configuration in the round. One thread.
final class MachineRounds {
    /// Fraction of the time after the boot in which warm-ups may last longer than necessary.
    private static final double WARM_UP_PART = 0.5;

    /// Fraction of the time after the warm-up that is available for runs of workloads.
    private static final double WORKLOADS_PART = 0.75;

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
                            TimeModel.ofMachine(each),
                            "%s, round %d of %d"
                                    .formatted(each.key(), round + 1, plan.roundsOf(true)),
                            round > 0,
                            () ->
                                    measurements.hasWorkloads(each, round)
                                            && measurements.hasOperations(each, round),
                            deadline -> measure(each, round, deadline),
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

    /// Adds a gap with the first complaint; the following lines usually continue it.
    private void addComplaints(
            List<String> complaints, AccessConfiguration configuration, int round) {
        if (complaints.isEmpty()) {
            return;
        }
        String reason =
                "%s (failures=%d)".formatted(Excerpt.of(complaints.getFirst()), complaints.size());
        progress.note("%s: %s".formatted(configuration.key(), reason));
        measurements.gap(EvaluationSection.STARTS, configuration, null, round, false, reason);
    }

    private void measure(AccessConfiguration configuration, int round, Deadline deadline)
            throws InterruptedException {
        progress.part("power-on");
        try (MeasuredGuest guest = starter.start(configuration, deadline)) {
            journal.add(EvaluationSection.STARTS, guest.start(round));
            measurements.warmUp(guest, configuration, deadline.afterPart(WARM_UP_PART));
            Deadline ofWorkloads = deadline.afterPart(WORKLOADS_PART);
            for (Task task : plan.tasks()) {
                if (!measurements.hasWorkload(configuration, task.workload().name(), round)) {
                    measurements.workload(guest, configuration, task, round, ofWorkloads);
                }
            }
            if (!measurements.hasOperations(configuration, round)) {
                measurements.operations(guest, configuration, round, deadline);
            }
            addComplaints(guest.complaints(), configuration, round);
        }
    }
}

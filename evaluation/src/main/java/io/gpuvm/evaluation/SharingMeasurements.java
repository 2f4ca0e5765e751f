package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.MemorySample;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.ScalingSample;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Measurements with several guests at once on one backend: the duration of a workload in each
/// guest, and the memory of the backend. The workload is `loop`, whose verification is short, so
/// that guests hardly delay each other on their processors. One thread.
final class SharingMeasurements {
    private static final String WORKLOAD = "loop";

    private final EvaluationPlan plan;
    private final Journal journal;

    SharingMeasurements(EvaluationPlan plan, Journal journal) {
        this.plan = plan;
        this.journal = journal;
    }

    /// Starter of several guests.
    interface GroupStarter {
        /// @throws GuestLostException if a guest does not start
        GuestGroup start(int guests, Deadline deadline) throws InterruptedException;
    }

    /// Returns one step for each number of guests.
    ///
    /// @param mode mode of the guests in the section `memory`
    /// @param counts numbers of guests
    List<EvaluationStep> steps(
            AccessConfiguration configuration,
            String mode,
            List<Integer> counts,
            GroupStarter starter) {
        List<EvaluationStep> steps = new ArrayList<>();
        for (int count : counts) {
            steps.add(
                    new EvaluationStep(
                            TimeModel.ofGuests(configuration, count),
                            "%s, %d at once".formatted(configuration.key(), count),
                            count > counts.getFirst(),
                            () -> roundsLeft(configuration, count).isEmpty(),
                            deadline -> measure(configuration, mode, count, starter, deadline),
                            (reason, skipped) -> gap(configuration, count, reason, skipped)));
        }
        return steps;
    }

    private void gap(AccessConfiguration configuration, int count, String reason, boolean skipped) {
        journal.add(
                EvaluationSection.GAPS,
                new ResultGap(
                        EvaluationSection.SCALING.name(),
                        configuration.key(),
                        WORKLOAD,
                        0,
                        skipped,
                        "guests=%d: %s".formatted(count, reason)));
    }

    /// Returns the rounds that the journal lacks.
    private List<Integer> roundsLeft(AccessConfiguration configuration, int count) {
        return IntStream.range(0, plan.amounts().sharingRounds())
                .filter(round ->
                        journal.records(EvaluationSection.SCALING).stream()
                                .noneMatch(each ->
                                        each.configuration().equals(configuration.key())
                                                && each.guests() == count
                                                && each.round() == round))
                .boxed()
                .toList();
    }

    private void measure(
            AccessConfiguration configuration,
            String mode,
            int count,
            GroupStarter starter,
            Deadline deadline)
            throws InterruptedException {
        try (GuestGroup group = starter.start(count, deadline)) {
            runInAll(group);
            for (int round : roundsLeft(configuration, count)) {
                if (deadline.isOver()) {
                    gap(configuration, count, StepRunner.timeLimit(plan.limitSeconds()), true);
                    return;
                }
                List<Long> ns = runInAll(group);
                long bytes = group.backend().memoryBytes();
                journal.add(
                        EvaluationSection.SCALING,
                        new ScalingSample(configuration.key(), count, round, WORKLOAD, ns));
                journal.add(EvaluationSection.MEMORY, new MemorySample(mode, count, round, bytes));
            }
        }
    }

    private List<Long> runInAll(GuestGroup group) throws InterruptedException {
        ObjectNode run =
                MeasuredProgram.arguments()
                        .put("workload", WORKLOAD)
                        .put("size", plan.amounts().loopSteps())
                        .put("seed", plan.rounds().seed());
        List<Long> requests = new ArrayList<>();
        for (MeasuredProgram program : group.programs()) {
            requests.add(program.send("run", run));
        }
        List<Long> ns = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            ns.add(group.programs().get(i).answer(requests.get(i)).positiveNs());
        }
        return ns;
    }
}

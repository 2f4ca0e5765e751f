package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.MemorySample;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.ScalingSample;
import java.util.ArrayList;
import java.util.List;

/// Several guests at once on one backend: duration of a workload in each, and memory of the
/// backend. The workload is `loop`, which computes for seconds and whose result needs no time to
/// verify, so that guests do not delay each other on their own processors. One thread.
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
                            () -> isDone(configuration, count),
                            deadline -> measure(configuration, mode, count, starter, deadline),
                            (reason, skipped) ->
                                    journal.add(
                                            EvaluationSection.GAPS,
                                            new ResultGap(
                                                    EvaluationSection.SCALING.name(),
                                                    configuration.key(),
                                                    WORKLOAD,
                                                    0,
                                                    skipped,
                                                    "%d guests: %s".formatted(count, reason)))));
        }
        return steps;
    }

    private boolean isDone(AccessConfiguration configuration, int count) {
        return journal.records(EvaluationSection.SCALING).stream()
                .anyMatch(each ->
                        each.configuration().equals(configuration.key())
                                && each.guests() == count
                                && each.round() == plan.amounts().sharingRounds() - 1);
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
            for (int round = 0; round < plan.amounts().sharingRounds(); round++) {
                List<Long> ns = runInAll(group);
                journal.add(
                        EvaluationSection.SCALING,
                        new ScalingSample(configuration.key(), count, round, WORKLOAD, ns));
                journal.add(
                        EvaluationSection.MEMORY,
                        new MemorySample(mode, count, round, group.backend().memoryBytes()));
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
            ns.add(group.programs().get(i).answer(requests.get(i)).path("ns").asLong());
        }
        return ns;
    }
}

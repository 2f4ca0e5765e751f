package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Rounds of the configurations whose guests are processes. Each configuration has one guest for
/// all rounds; the next round replaces a lost guest. In a round, each workload runs once in every
/// configuration, unless runs are invalid. One thread.
final class ProcessRounds implements AutoCloseable {
    /// Fraction of a round's time in which warm-ups may last longer than necessary.
    private static final double WARM_UP_PART = 0.6;

    /// Fraction of a round's time that is available for starts, warm-ups and runs of workloads.
    private static final double WORKLOADS_PART = 0.85;

    private final EvaluationPlan plan;
    private final Journal journal;
    private final ProcessorSplit split;
    private final RunResources resources;
    private final ProgressReport progress;
    private final Map<AccessConfiguration, MeasuredGuest> guests =
            new EnumMap<>(AccessConfiguration.class);
    private final GuestMeasurements measurements;

    ProcessRounds(
            EvaluationPlan plan,
            Journal journal,
            ProcessorSplit split,
            RunResources resources,
            ProgressReport progress) {
        this.plan = plan;
        this.journal = journal;
        this.split = split;
        this.resources = resources;
        this.progress = progress;
        measurements = new GuestMeasurements(plan, journal, progress::part);
    }

    /// Returns one step for each round.
    List<EvaluationStep> steps() {
        List<EvaluationStep> steps = new ArrayList<>();
        if (plan.order(false, 0).isEmpty()) {
            return steps;
        }
        for (int round = 0; round < plan.roundsOf(false); round++) {
            int number = round;
            steps.add(
                    new EvaluationStep(
                            round == 0 ? TimeModel.FIRST_PROCESSES : TimeModel.PROCESSES,
                            "processes, round %d of %d".formatted(round + 1, plan.roundsOf(false)),
                            round > 0,
                            () -> isDone(number),
                            deadline -> round(number, deadline),
                            (reason, skipped) -> gaps(number, reason, skipped)));
        }
        return steps;
    }

    private boolean isDone(int round) {
        return plan.order(false, round).stream().allMatch(each -> isDone(each, round));
    }

    private boolean isDone(AccessConfiguration configuration, int round) {
        return measurements.hasWorkloads(configuration, round)
                && measurements.hasOperations(configuration, round);
    }

    private void gaps(int round, String reason, boolean skipped) {
        for (AccessConfiguration each : plan.order(false, round)) {
            measurements.gap(EvaluationSection.SAMPLES, each, null, round, skipped, reason);
        }
    }

    private void round(int round, Deadline deadline) throws InterruptedException {
        Deadline ofWarmUp = deadline.afterPart(WARM_UP_PART);
        Deadline ofWorkloads = deadline.afterPart(WORKLOADS_PART);
        List<AccessConfiguration> order = plan.order(false, round);
        List<AccessConfiguration> present = new ArrayList<>();
        for (AccessConfiguration each : order) {
            if (!isDone(each, round) && isUsable(each, round, ofWarmUp)) {
                present.add(each);
            }
        }
        for (Task task : plan.tasks()) {
            for (AccessConfiguration each : List.copyOf(present)) {
                if (!measurements.hasWorkload(each, task.workload().name(), round)) {
                    attempt(
                            present,
                            each,
                            round,
                            guest -> measurements.workload(guest, each, task, round, ofWorkloads));
                }
            }
        }
        for (AccessConfiguration each : List.copyOf(present)) {
            if (!measurements.hasOperations(each, round)) {
                attempt(
                        present,
                        each,
                        round,
                        guest -> measurements.operations(guest, each, round, deadline));
            }
        }
    }

    /// Measurement in a guest.
    private interface Measurement {
        void run(MeasuredGuest guest) throws InterruptedException;
    }

    private void attempt(
            List<AccessConfiguration> present,
            AccessConfiguration configuration,
            int round,
            Measurement measurement)
            throws InterruptedException {
        try {
            measurement.run(guests.get(configuration));
        } catch (GuestLostException e) {
            if (resources.isClosed()) {
                throw e;
            }
            present.remove(configuration);
            lose(configuration, round, e.getMessage());
        }
    }

    /// Starts a configuration's guest if no guest is running, and warms the guest up.
    ///
    /// @param deadline time after which the warm-up is no longer than necessary
    /// @return false if the guest does not start; the gap has been added
    private boolean isUsable(AccessConfiguration configuration, int round, Deadline deadline)
            throws InterruptedException {
        if (guests.containsKey(configuration)) {
            return true;
        }
        try {
            progress.part("starting " + configuration.key());
            MeasuredGuest guest = ProcessGuest.start(configuration, split, resources);
            guests.put(configuration, guest);
            journal.add(EvaluationSection.STARTS, guest.start(round));
            measurements.warmUp(guest, configuration, deadline);
            return true;
        } catch (GuestLostException e) {
            if (resources.isClosed()) {
                throw e;
            }
            lose(configuration, round, e.getMessage());
            return false;
        }
    }

    private void lose(AccessConfiguration configuration, int round, String reason) {
        MeasuredGuest guest = guests.remove(configuration);
        if (guest != null) {
            guest.close();
        }
        progress.note("%s: %s".formatted(configuration.key(), reason));
        measurements.gap(EvaluationSection.SAMPLES, configuration, null, round, false, reason);
    }

    @Override
    public void close() {
        guests.values().forEach(MeasuredGuest::close);
        guests.clear();
    }
}

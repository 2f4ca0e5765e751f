package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.evaluation.data.CopySample;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.QueueDelay;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.TransferSample;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.statistics.Samples;
import io.gpuvm.workloads.measure.Task;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Measurements in one guest, whose results are added to the journal. Results that the journal
/// already has are not measured again. One thread.
final class GuestMeasurements {
    private final EvaluationPlan plan;
    private final Journal journal;
    private final Consumer<String> progress;

    /// @param progress receives the name of each measurement at its start
    GuestMeasurements(EvaluationPlan plan, Journal journal, Consumer<String> progress) {
        this.plan = plan;
        this.journal = journal;
        this.progress = progress;
    }

    /// Warms up all workloads, and moves the [DelayingThreads] that start meanwhile to the guests'
    /// processors.
    ///
    /// @param deadline time after which workloads run no longer than necessary
    /// @throws GuestLostException if the guest is lost
    void warmUp(MeasuredGuest guest, AccessConfiguration configuration, Deadline deadline)
            throws InterruptedException {
        for (Task task : plan.tasks(configuration)) {
            progress.accept(
                    "%s, warm-up of %s".formatted(configuration.key(), task.workload().name()));
            WarmUp.run(
                    guest.program(),
                    task,
                    plan.rounds().seed(),
                    plan.amounts().warmUpMs(),
                    deadline);
            guest.moveDelayingThreads();
        }
    }

    /// Measures a workload until a run is valid, up to the maximum number of attempts.
    ///
    /// @param deadline time after which no attempt begins
    /// @throws GuestLostException if the guest is lost
    void workload(
            MeasuredGuest guest,
            AccessConfiguration configuration,
            Task task,
            int round,
            Deadline deadline)
            throws InterruptedException {
        String name = task.workload().name();
        if (deadline.isOver()) {
            skip(EvaluationSection.SAMPLES, configuration, name, round);
            return;
        }
        // A resumed evaluation may again use the maximum number of attempts.
        int first = samples(configuration, name, round).size();
        int attempt = first;
        while (attempt < first + plan.attempts() && (attempt == first || !deadline.isOver())) {
            progress.accept("%s, %s".formatted(configuration.key(), name));
            try {
                WorkloadMeasurement.Result result =
                        WorkloadMeasurement.run(
                                guest,
                                configuration.key(),
                                task,
                                plan.rounds().seed(),
                                round,
                                attempt++);
                addWork(task, result.work());
                journal.add(EvaluationSection.SAMPLES, result.sample());
                if (result.sample().valid()) {
                    return;
                }
            } catch (RefusedRequestException e) {
                gap(EvaluationSection.SAMPLES, configuration, name, round, false, e.getMessage());
                return;
            }
        }
        gap(
                EvaluationSection.SAMPLES,
                configuration,
                name,
                round,
                false,
                "no valid run in %d attempts: %s"
                        .formatted(
                                attempt - first,
                                samples(configuration, name, round).getLast().reason()));
    }

    /// Returns whether a workload has a valid sample of a round, or is not in the program.
    boolean hasWorkload(AccessConfiguration configuration, String workload, int round) {
        return !configuration.has(workload)
                || samples(configuration, workload, round).stream().anyMatch(WorkloadSample::valid);
    }

    /// Returns whether all workloads of the program have valid samples of a round.
    boolean hasWorkloads(AccessConfiguration configuration, int round) {
        return plan.tasks().stream()
                .allMatch(task -> hasWorkload(configuration, task.workload().name(), round));
    }

    private List<WorkloadSample> samples(
            AccessConfiguration configuration, String workload, int round) {
        return journal.records(EvaluationSection.SAMPLES).stream()
                .filter(each ->
                        each.configuration().equals(configuration.key())
                                && each.workload().equals(workload)
                                && each.round() == round)
                .toList();
    }

    private void addWork(Task task, EvaluatedWorkload.WorkAmount work) {
        String name = task.workload().name();
        if (work != null
                && journal.records(Journal.WORK).stream()
                        .noneMatch(each -> each.name().equals(name))) {
            journal.add(
                    Journal.WORK,
                    new EvaluatedWorkload(
                            name, task.size(), task.workload().size().meaning(), work));
        }
    }

    /// Measures the queue delay, copies, and shares of transfers.
    ///
    /// @param deadline time after which none of these begins
    /// @throws GuestLostException if the guest is lost
    void operations(
            MeasuredGuest guest, AccessConfiguration configuration, int round, Deadline deadline)
            throws InterruptedException {
        if (deadline.isOver()) {
            skip(EvaluationSection.QUEUE_DELAYS, configuration, null, round);
            skip(EvaluationSection.COPIES, configuration, null, round);
        } else {
            delay(guest, configuration, round);
            copies(guest, configuration, round);
        }
        if (!configuration.has(TransferRun.WORKLOAD)) {
            return;
        }
        if (deadline.isOver()) {
            skip(EvaluationSection.TRANSFERS, configuration, null, round);
        } else {
            transfers(guest, configuration, round);
        }
    }

    private void skip(
            EvaluationSection<?> section,
            AccessConfiguration configuration,
            String workload,
            int round) {
        gap(
                section,
                configuration,
                workload,
                round,
                true,
                StepRunner.timeLimit(plan.limitSeconds()));
    }

    /// Returns whether the journal has the results of [#operations] of a round.
    boolean hasOperations(AccessConfiguration configuration, int round) {
        EvaluationPlan.Amounts amounts = plan.amounts();
        return hasDelay(configuration, round)
                && Stream.of(CopySample.IN, CopySample.OUT)
                        .allMatch(direction ->
                                amounts.copyBytes().stream()
                                        .allMatch(bytes ->
                                                hasCopies(configuration, direction, bytes, round)))
                && amounts.transferBytes().stream()
                        .allMatch(bytes ->
                                amounts.transferShares().stream()
                                        .allMatch(share ->
                                                hasTransfer(configuration, share, bytes, round)));
    }

    private void copies(MeasuredGuest guest, AccessConfiguration configuration, int round)
            throws InterruptedException {
        for (String direction : List.of(CopySample.IN, CopySample.OUT)) {
            for (long bytes : plan.amounts().copyBytes()) {
                if (hasCopies(configuration, direction, bytes, round)) {
                    continue;
                }
                progress.accept("%s, copies of %d bytes".formatted(configuration.key(), bytes));
                List<Long> ns =
                        times(
                                guest,
                                "copy",
                                MeasuredProgram.arguments()
                                        .put("direction", direction)
                                        .put("bytes", bytes),
                                plan.amounts().copies(),
                                EvaluationSection.COPIES,
                                configuration,
                                round);
                for (long each : ns) {
                    journal.add(
                            EvaluationSection.COPIES,
                            new CopySample(configuration.key(), direction, bytes, round, each));
                }
            }
        }
    }

    private void delay(MeasuredGuest guest, AccessConfiguration configuration, int round)
            throws InterruptedException {
        if (hasDelay(configuration, round)) {
            return;
        }
        progress.accept("%s, queue delay".formatted(configuration.key()));
        List<Long> ns =
                times(
                        guest,
                        "delay",
                        MeasuredProgram.arguments(),
                        plan.amounts().delays(),
                        EvaluationSection.QUEUE_DELAYS,
                        configuration,
                        round);
        if (!ns.isEmpty()) {
            journal.add(
                    EvaluationSection.QUEUE_DELAYS,
                    new QueueDelay(
                            configuration.key(), round, Math.round(Samples.of(ns).median())));
        }
    }

    private void transfers(MeasuredGuest guest, AccessConfiguration configuration, int round)
            throws InterruptedException {
        for (int bytes : plan.amounts().transferBytes()) {
            for (int share : plan.amounts().transferShares()) {
                if (hasTransfer(configuration, share, bytes, round)) {
                    continue;
                }
                progress.accept("%s, transfers %d %%".formatted(configuration.key(), share));
                Task task = TransferRun.task(share, bytes, plan.amounts().transferUs());
                try {
                    TransferRun run =
                            TransferRun.measure(guest.program(), task, plan.rounds().seed());
                    journal.add(
                            EvaluationSection.TRANSFERS,
                            new TransferSample(
                                    configuration.key(),
                                    share,
                                    bytes,
                                    round,
                                    run.totalNs(),
                                    run.transferNs()));
                } catch (RefusedRequestException e) {
                    gap(
                            EvaluationSection.TRANSFERS,
                            configuration,
                            null,
                            round,
                            false,
                            e.getMessage());
                }
            }
        }
    }

    private boolean hasCopies(
            AccessConfiguration configuration, String direction, long bytes, int round) {
        return journal.records(EvaluationSection.COPIES).stream()
                .anyMatch(each ->
                        each.configuration().equals(configuration.key())
                                && each.direction().equals(direction)
                                && each.bytes() == bytes
                                && each.round() == round);
    }

    private boolean hasDelay(AccessConfiguration configuration, int round) {
        return journal.records(EvaluationSection.QUEUE_DELAYS).stream()
                .anyMatch(each ->
                        each.configuration().equals(configuration.key()) && each.round() == round);
    }

    private boolean hasTransfer(
            AccessConfiguration configuration, int share, long bytes, int round) {
        return !configuration.has(TransferRun.WORKLOAD)
                || journal.records(EvaluationSection.TRANSFERS).stream()
                        .anyMatch(each ->
                                each.configuration().equals(configuration.key())
                                        && each.sharePercent() == share
                                        && each.bytes() == bytes
                                        && each.round() == round);
    }

    /// Measures the durations of repeated operations. If the request is refused, adds a gap and
    /// returns no durations.
    private List<Long> times(
            MeasuredGuest guest,
            String what,
            ObjectNode arguments,
            int count,
            EvaluationSection<?> section,
            AccessConfiguration configuration,
            int round)
            throws InterruptedException {
        try {
            return guest.program().ask(what, arguments.put("count", count)).times(count);
        } catch (RefusedRequestException e) {
            gap(section, configuration, null, round, false, e.getMessage());
            return List.of();
        }
    }

    /// Adds a gap.
    void gap(
            EvaluationSection<?> section,
            AccessConfiguration configuration,
            String workload,
            int round,
            boolean skipped,
            String reason) {
        journal.add(
                EvaluationSection.GAPS,
                new ResultGap(
                        section.name(), configuration.key(), workload, round, skipped, reason));
    }
}

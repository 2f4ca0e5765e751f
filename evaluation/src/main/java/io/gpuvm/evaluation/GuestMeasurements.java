package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

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

    /// Runs each workload for a time, so that the compilers have compiled its code. A failure is
    /// ignored: the measured run reports it.
    ///
    /// @param minimumMs minimum duration of each workload; each runs at least once
    /// @throws GuestLostException if the guest is lost
    void warmUp(MeasuredGuest guest, AccessConfiguration configuration, int minimumMs)
            throws InterruptedException {
        for (Task task : plan.tasks()) {
            progress.accept(
                    "%s, warm-up of %s".formatted(configuration.key(), task.workload().name()));
            long startNs = System.nanoTime();
            long minimumNs = TimeUnit.MILLISECONDS.toNanos(minimumMs);
            ObjectNode run =
                    MeasuredProgram.arguments()
                            .put("workload", task.workload().name())
                            .put("size", task.size())
                            .put("seed", plan.rounds().seed());
            try {
                do {
                    guest.program().ask("run", run);
                } while (System.nanoTime() - startNs < minimumNs);
            } catch (RefusedRequestException _) {
                // The measured run fails in the same way.
            }
        }
    }

    /// Measures a workload until a run is valid, or the permitted attempts have been made.
    ///
    /// @throws GuestLostException if the guest is lost
    void workload(MeasuredGuest guest, AccessConfiguration configuration, Task task, int round)
            throws InterruptedException {
        String name = task.workload().name();
        for (int attempt = attempts(configuration, name, round);
                attempt < plan.attempts();
                attempt++) {
            progress.accept("%s, %s".formatted(configuration.key(), name));
            try {
                WorkloadMeasurement.Result result =
                        WorkloadMeasurement.run(
                                guest,
                                configuration.key(),
                                task,
                                plan.rounds().seed(),
                                round,
                                attempt);
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
                                plan.attempts(),
                                samples(configuration, name, round).getLast().reason()));
    }

    /// Returns whether a workload has a valid sample of a round.
    boolean hasWorkload(AccessConfiguration configuration, String workload, int round) {
        return samples(configuration, workload, round).stream().anyMatch(WorkloadSample::valid);
    }

    /// Returns whether all workloads have valid samples of a round.
    boolean hasWorkloads(AccessConfiguration configuration, int round) {
        return plan.tasks().stream()
                .allMatch(task -> hasWorkload(configuration, task.workload().name(), round));
    }

    private int attempts(AccessConfiguration configuration, String workload, int round) {
        return samples(configuration, workload, round).size();
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

    /// Measures copies, the queue delay and the synthetic program.
    ///
    /// @throws GuestLostException if the guest is lost
    void others(MeasuredGuest guest, AccessConfiguration configuration, int round)
            throws InterruptedException {
        copies(guest, configuration, round);
        delay(guest, configuration, round);
        transfers(guest, configuration, round);
    }

    /// Returns whether the journal has the results of [#others] of a round.
    boolean hasOthers(AccessConfiguration configuration, int round) {
        return journal.records(EvaluationSection.TRANSFERS).stream()
                .anyMatch(each ->
                        each.configuration().equals(configuration.key())
                                && each.round() == round
                                && each.sharePercent()
                                        == plan.amounts().transferShares().getLast());
    }

    private void copies(MeasuredGuest guest, AccessConfiguration configuration, int round)
            throws InterruptedException {
        for (String direction : List.of(CopySample.IN, CopySample.OUT)) {
            for (long bytes : plan.amounts().copyBytes()) {
                progress.accept("%s, copies of %d bytes".formatted(configuration.key(), bytes));
                List<Long> ns =
                        times(
                                guest,
                                "copy",
                                MeasuredProgram.arguments()
                                        .put("direction", direction)
                                        .put("bytes", bytes)
                                        .put("count", plan.amounts().copies()),
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
        progress.accept("%s, queue delay".formatted(configuration.key()));
        List<Long> ns =
                times(
                        guest,
                        "delay",
                        MeasuredProgram.arguments().put("count", plan.amounts().delays()),
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
        if (journal.records(Journal.CALIBRATION).isEmpty()) {
            gap(
                    EvaluationSection.TRANSFERS,
                    configuration,
                    null,
                    round,
                    true,
                    "no calibration of the synthetic program");
            return;
        }
        TransferCalibration calibration = journal.records(Journal.CALIBRATION).getFirst();
        long bytes = plan.amounts().transferBytes();
        for (int share : plan.amounts().transferShares()) {
            progress.accept("%s, transfers %d %%".formatted(configuration.key(), share));
            try {
                JsonNode answer =
                        guest.program()
                                .ask(
                                        "transfer",
                                        MeasuredProgram.arguments()
                                                .put("bytes", bytes)
                                                .put("computeUs", calibration.computeUs(share)));
                journal.add(
                        EvaluationSection.TRANSFERS,
                        new TransferSample(
                                configuration.key(),
                                share,
                                bytes,
                                round,
                                answer.path("ns").asLong()));
            } catch (RefusedRequestException e) {
                gap(EvaluationSection.TRANSFERS, configuration, null, round, false, e.getMessage());
            }
        }
    }

    private List<Long> times(
            MeasuredGuest guest,
            String what,
            ObjectNode arguments,
            EvaluationSection<?> section,
            AccessConfiguration configuration,
            int round)
            throws InterruptedException {
        try {
            JsonNode answer = guest.program().ask(what, arguments);
            return StreamSupport.stream(answer.path("timesNs").spliterator(), false)
                    .map(JsonNode::asLong)
                    .toList();
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

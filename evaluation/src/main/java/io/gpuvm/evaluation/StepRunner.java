package io.gpuvm.evaluation;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Executes the steps of an evaluation in order, within a time limit. The time of each step is
/// bounded, so that enough time remains for the required steps after it. A step whose measurement
/// fails leaves a gap, and the next step follows. One thread.
final class StepRunner {
    /// Time for the report and for the end of a late step, in seconds.
    private static final double REPORT_SECONDS = 20;

    /// Maximum fraction of the limit that is reserved for the report.
    private static final double REPORT_PART = 0.1;

    /// Minimum remaining time for a required step to begin, as a fraction of the estimated
    /// duration.
    private static final double LEAST_PART = 0.5;

    /// Multiple of the estimated duration that a step may use while required steps must follow.
    private static final double MOST_PART = 2;

    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private final TimeModel model;
    private final double limitSeconds;
    private final ProgressReport progress;
    private final BooleanSupplier interrupted;
    private final LongSupplier clockNs;
    private final Deadline end;

    /// @param limitSeconds time within which the evaluation must end, in seconds from now
    /// @param interrupted returns whether a signal has ended the evaluation
    /// @param clockNs monotonic clock, in nanoseconds
    StepRunner(
            Journal journal,
            TimeModel model,
            double limitSeconds,
            ProgressReport progress,
            BooleanSupplier interrupted,
            LongSupplier clockNs) {
        this.journal = journal;
        this.model = model;
        this.limitSeconds = limitSeconds;
        this.progress = progress;
        this.interrupted = interrupted;
        this.clockNs = clockNs;
        double report = Math.min(REPORT_SECONDS, REPORT_PART * limitSeconds);
        end = Deadline.after(limitSeconds - report, clockNs);
    }

    /// Executes the steps that are not done.
    ///
    /// @throws InterruptedEvaluationException if a signal has ended the evaluation
    void run(List<EvaluationStep> steps) throws InterruptedException {
        List<EvaluationStep> open = steps.stream().filter(s -> !s.done().getAsBoolean()).toList();
        for (int i = 0; i < open.size(); i++) {
            EvaluationStep step = open.get(i);
            if (!mayBegin(step)) {
                step.gap().add(timeLimit(limitSeconds), true);
                progress.note("skipped: %s: time limit".formatted(step.title()));
                continue;
            }
            List<EvaluationStep> rest = open.subList(i, open.size());
            progress.step(step.title(), secondsToGo(rest));
            run(step, Deadline.after(allotment(rest), clockNs));
        }
    }

    /// Returns the reason for the gap of a measurement that the time limit has prevented.
    static String timeLimit(double limitSeconds) {
        return "time limit: seconds=%.0f".formatted(limitSeconds);
    }

    private boolean mayBegin(EvaluationStep step) {
        double least = step.optional() ? 1 : LEAST_PART;
        return end.secondsLeft() >= least * estimate(step);
    }

    /// Returns the time of the first step in a list: up to twice its estimate if the required steps
    /// after it can still have their estimates, and at least its share in proportion to all
    /// estimates.
    private double allotment(List<EvaluationStep> steps) {
        double first = estimate(steps.getFirst());
        double later = 0;
        for (EvaluationStep step : steps.subList(1, steps.size())) {
            later += step.optional() ? 0 : estimate(step);
        }
        double left = end.secondsLeft();
        double part = left * first / (first + later);
        return Math.max(part, Math.min(MOST_PART * first, left - later));
    }

    /// Returns the estimated duration of steps; optional steps that would exceed the limit have no
    /// duration, and required steps end at the limit.
    private double secondsToGo(List<EvaluationStep> steps) {
        double leftSeconds = end.secondsLeft();
        double seconds = 0;
        for (EvaluationStep step : steps) {
            double next = estimate(step);
            if (!step.optional() || seconds + next <= leftSeconds) {
                seconds += next;
            }
        }
        return Math.min(seconds, leftSeconds);
    }

    private double estimate(EvaluationStep step) {
        return model.seconds(step.kind(), journal.records(Journal.STEPS));
    }

    private void run(EvaluationStep step, Deadline deadline) throws InterruptedException {
        long startNs = clockNs.getAsLong();
        try {
            step.work().run(deadline);
        } catch (MeasurementException e) {
            requireNoInterruption();
            step.gap().add(e.getMessage(), false);
            progress.note("%s: %s".formatted(step.title(), e.getMessage()));
        } catch (RuntimeException e) {
            // After a signal, any operation may fail, because processes and files are gone.
            requireNoInterruption();
            throw e;
        }
        requireNoInterruption();
        double seconds = (clockNs.getAsLong() - startNs) / NS_PER_SECOND;
        journal.add(Journal.STEPS, new StepTime(step.kind(), seconds));
    }

    private void requireNoInterruption() {
        if (interrupted.getAsBoolean()) {
            throw new InterruptedEvaluationException();
        }
    }
}

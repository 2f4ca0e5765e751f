package io.gpuvm.evaluation;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Executes the steps of an evaluation in order, within a time limit. A step whose guest is lost
/// leaves a gap, and the next step follows. One thread.
final class StepRunner {
    /// Guess of the duration of a step before any step of its group has completed.
    private static final double GUESS_SECONDS = 40;

    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private final double limitSeconds;
    private final ProgressReport progress;
    private final BooleanSupplier interrupted;

    /// @param limitSeconds time after which no optional step begins
    /// @param interrupted returns whether a signal has ended the evaluation
    StepRunner(
            Journal journal,
            double limitSeconds,
            ProgressReport progress,
            BooleanSupplier interrupted) {
        this.journal = journal;
        this.limitSeconds = limitSeconds;
        this.progress = progress;
        this.interrupted = interrupted;
    }

    /// Executes the steps that are not done.
    ///
    /// @throws InterruptedEvaluationException if a signal has ended the evaluation
    void run(List<EvaluationStep> steps) throws InterruptedException {
        List<EvaluationStep> open = steps.stream().filter(s -> !s.done().getAsBoolean()).toList();
        for (int i = 0; i < open.size(); i++) {
            EvaluationStep step = open.get(i);
            if (step.optional() && exceedsLimit(step)) {
                step.gap().add("time limit: seconds=%.0f".formatted(limitSeconds), true);
                progress.note("skipped: %s: time limit".formatted(step.title()));
                continue;
            }
            progress.step(step.title(), secondsToGo(open.subList(i, open.size())));
            run(step);
        }
    }

    private boolean exceedsLimit(EvaluationStep step) {
        return journal.seconds() + estimate(List.of(step.kind())) > limitSeconds;
    }

    /// Returns the estimated duration of steps; those that would exceed the limit take no time.
    private double secondsToGo(List<EvaluationStep> steps) {
        double leftSeconds = Math.max(0, limitSeconds - journal.seconds());
        double seconds = 0;
        for (EvaluationStep step : steps) {
            double next = estimate(List.of(step.kind()));
            if (!step.optional() || seconds + next <= leftSeconds) {
                seconds += next;
            }
        }
        return seconds;
    }

    private double estimate(List<String> kinds) {
        return TimeBudget.seconds(journal.records(Journal.STEPS), kinds, GUESS_SECONDS);
    }

    private void run(EvaluationStep step) throws InterruptedException {
        long startNs = System.nanoTime();
        try {
            step.work().run();
        } catch (GuestLostException e) {
            requireNoInterruption();
            step.gap().add(e.getMessage(), false);
            progress.note("%s: %s".formatted(step.title(), e.getMessage()));
        }
        requireNoInterruption();
        double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
        journal.add(Journal.STEPS, new StepTime(step.kind(), seconds));
    }

    private void requireNoInterruption() {
        if (interrupted.getAsBoolean()) {
            throw new InterruptedEvaluationException();
        }
    }
}

package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepRunnerTest {
    @TempDir private Path folder;

    private static final double LIMIT_SECONDS = 100;

    private final List<String> events = new ArrayList<>();
    private final List<Double> budgets = new ArrayList<>();
    private final StringWriter output = new StringWriter();
    private boolean interrupted;
    private Journal journal;
    private long nowNs;
    private int stepSeconds;

    @BeforeEach
    void create() {
        journal = Journal.create(folder, Plans.header(LIMIT_SECONDS, "native"));
    }

    @Test
    void givenDoneStep_whenRun_thenOnlyOpenStepRuns() throws InterruptedException {
        runner().run(List.of(step("a", false, true, null), step("b", false, false, null)));

        assertEquals(List.of("b ran"), events);
        assertEquals(1, journal.records(Journal.STEPS).size());
    }

    @Test
    void givenLostGuest_whenRun_thenGapIsAddedAndNextStepRuns() throws InterruptedException {
        runner().run(List.of(step("a", false, false, "died"), step("b", false, false, null)));

        assertEquals(List.of("a ran", "a gap: died, skipped=false", "b ran"), events);
    }

    @Test
    void givenRefusedRequest_whenRun_thenGapIsAddedAndNextStepRuns() throws InterruptedException {
        runner().run(
                        List.of(
                                failing(new RefusedRequestException("out of memory")),
                                step("b", false, false, null)));

        assertEquals(List.of("a gap: out of memory, skipped=false", "b ran"), events);
    }

    @Test
    void givenSignalDuringStart_whenProcessCannotStart_thenRunEndsAsInterrupted() {
        interrupted = true;

        assertThrows(
                InterruptedEvaluationException.class,
                () ->
                        runner().run(
                                        List.of(
                                                failing(
                                                        new IllegalStateException(
                                                                "the run has ended")))));
    }

    @Test
    void givenInternalError_whenRun_thenErrorIsThrown() {
        assertThrows(
                IllegalStateException.class,
                () -> runner().run(List.of(failing(new IllegalStateException("a defect")))));
    }

    @Test
    void givenExceededLimit_whenRun_thenOptionalStepsAreSkippedWithGap()
            throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 70));
        stepSeconds = 50;

        runner().run(List.of(step("a", true, false, null), step("a", true, false, null)));

        assertEquals(List.of("a ran", "a gap: time limit: seconds=100, skipped=true"), events);
    }

    @Test
    void givenRequiredSteps_whenRun_thenEachStepMayUseTwiceEstimate() throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 20));
        journal.add(Journal.STEPS, new StepTime("b", 40));
        stepSeconds = 15;

        runner().run(
                        List.of(
                                step("a", false, false, null),
                                step("b", false, false, null),
                                step("b", true, false, null)));

        // 10 s are reserved for the report; the optional step has no part.
        assertEquals(List.of(40.0, 75.0), budgets.subList(0, 2));
        assertEquals(List.of("a ran", "b ran", "b ran"), events);
    }

    @Test
    void givenTooManyRequiredSteps_whenRun_thenTimeIsDividedInProportionToEstimates()
            throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 60));
        journal.add(Journal.STEPS, new StepTime("b", 120));
        stepSeconds = 15;

        runner().run(List.of(step("a", false, false, null), step("b", false, false, null)));

        assertEquals(30, budgets.getFirst());
    }

    @Test
    void givenLessTimeThanHalfOfEstimate_whenRun_thenRequiredStepIsSkipped()
            throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 70));
        journal.add(Journal.STEPS, new StepTime("b", 70));
        stepSeconds = 60;

        runner().run(List.of(step("a", false, false, null), step("b", false, false, null)));

        assertEquals(List.of("a ran", "b gap: time limit: seconds=100, skipped=true"), events);
    }

    @Test
    void givenResumedJournal_whenRun_thenEarlierStepsDoNotCountAgainstLimit()
            throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            journal.add(Journal.STEPS, new StepTime("a", 70));
        }

        runner().run(List.of(step("a", true, false, null)));

        assertEquals(List.of("a ran"), events);
    }

    @Test
    void givenInterruption_whenGuestIsLost_thenRunEndsWithoutGap() {
        List<EvaluationStep> steps =
                List.of(step("a", false, false, "killed"), step("b", false, false, null));
        interrupted = true;

        assertThrows(InterruptedEvaluationException.class, () -> runner().run(steps));

        assertEquals(List.of("a ran"), events);
        assertEquals(List.of(), journal.records(Journal.STEPS));
    }

    @Test
    void givenSteps_whenRun_thenEachStepPrintsLineWithRemainingTime() throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 10));

        runner().run(List.of(step("a", false, false, null), step("a", false, false, null)));

        assertEquals("0:00, 0:20 to go: a", output.toString().lines().findFirst().orElseThrow());
        assertEquals(2, output.toString().lines().count());
    }

    private StepRunner runner() {
        return new StepRunner(
                journal,
                new TimeModel(Map.of()),
                LIMIT_SECONDS,
                new ProgressReport(new PrintWriter(output, true), false),
                () -> interrupted,
                () -> nowNs);
    }

    private EvaluationStep failing(RuntimeException failure) {
        return new EvaluationStep(
                "a",
                "a",
                false,
                () -> false,
                _ -> {
                    throw failure;
                },
                (reason, skipped) ->
                        events.add("a gap: %s, skipped=%b".formatted(reason, skipped)));
    }

    /// @param failure message of the lost guest; null if no guest is lost
    private EvaluationStep step(String name, boolean optional, boolean done, String failure) {
        return new EvaluationStep(
                name,
                name,
                optional,
                () -> done,
                deadline -> {
                    events.add(name + " ran");
                    budgets.add(deadline.secondsLeft());
                    nowNs += TimeUnit.SECONDS.toNanos(stepSeconds);
                    if (failure != null) {
                        throw new GuestLostException(failure);
                    }
                },
                (reason, skipped) ->
                        events.add("%s gap: %s, skipped=%b".formatted(name, reason, skipped)));
    }
}

package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepRunnerTest {
    @TempDir private Path folder;

    private final List<String> events = new ArrayList<>();
    private final StringWriter output = new StringWriter();
    private boolean interrupted;
    private Journal journal;

    @BeforeEach
    void create() {
        journal = Journal.create(folder, Plans.header(100, "native"));
    }

    @Test
    void givenDoneStep_whenRun_thenOnlyOthersRun() throws InterruptedException {
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
    void givenExceededLimit_whenRun_thenOptionalStepsAreSkippedWithGap()
            throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 70));

        runner().run(List.of(step("a", true, false, null), step("a", false, false, null)));

        assertEquals(List.of("a gap: time limit: seconds=100, skipped=true", "a ran"), events);
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
    void givenSteps_whenRun_thenEachPrintsLineWithTimeToGo() throws InterruptedException {
        journal.add(Journal.STEPS, new StepTime("a", 10));

        runner().run(List.of(step("a", false, false, null), step("a", false, false, null)));

        assertEquals("0:00, 0:20 to go: a", output.toString().lines().findFirst().orElseThrow());
        assertEquals(2, output.toString().lines().count());
    }

    private StepRunner runner() {
        return new StepRunner(
                journal,
                100,
                new ProgressReport(new PrintWriter(output, true), false),
                () -> interrupted);
    }

    /// @param failure message of the lost guest, or null
    private EvaluationStep step(String name, boolean optional, boolean done, String failure) {
        return new EvaluationStep(
                name,
                name,
                optional,
                () -> done,
                () -> {
                    events.add(name + " ran");
                    if (failure != null) {
                        throw new GuestLostException(failure);
                    }
                },
                (reason, skipped) ->
                        events.add("%s gap: %s, skipped=%b".formatted(name, reason, skipped)));
    }
}

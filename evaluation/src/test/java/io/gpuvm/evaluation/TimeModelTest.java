package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.EvaluationRounds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeModelTest {
    private static final TimeModel MODEL = new TimeModel(Map.of("a", 10.0, "b", 40.0));

    @Test
    void givenNoCompletedStep_whenDurationIsEstimated_thenEstimateIsExpectation() {
        assertEquals(40, MODEL.seconds("b", List.of()));
    }

    @Test
    void givenCompletedStepsOfKind_whenDurationIsEstimated_thenEstimateIsMean() {
        List<StepTime> done =
                List.of(new StepTime("a", 30), new StepTime("a", 50), new StepTime("b", 10));

        assertEquals(40, MODEL.seconds("a", done));
    }

    @Test
    void givenSlowHost_whenOtherKindIsEstimated_thenEstimateGrowsInProportion() {
        assertEquals(120, MODEL.seconds("b", List.of(new StepTime("a", 30))));
    }

    /// The expectations, which were measured on a quiet host, must leave a margin for the report.
    @ParameterizedTest
    @CsvSource({"true, 600", "false, 5400"})
    void givenAllConfigurations_whenRoundsAreEstimated_thenSumIsWithinLimit(
            boolean quick, int limitSeconds) {
        EvaluationPlan plan = plan(quick);
        TimeModel model = TimeModel.of(plan);
        double seconds = model.seconds(TimeModel.SET_UP, List.of());
        seconds += model.seconds(TimeModel.FIRST_PROCESSES, List.of());
        seconds += (plan.roundsOf(false) - 1) * model.seconds(TimeModel.PROCESSES, List.of());
        for (AccessConfiguration each : plan.order(true, 0)) {
            seconds += plan.roundsOf(true) * model.seconds(TimeModel.ofMachine(each), List.of());
        }
        for (int guests : plan.amounts().processGuests()) {
            seconds +=
                    model.seconds(
                            TimeModel.ofGuests(AccessConfiguration.PV_PROCESS, guests), List.of());
        }
        for (int guests : plan.amounts().machineGuests()) {
            seconds +=
                    model.seconds(
                            TimeModel.ofGuests(AccessConfiguration.FV_OPTIMIZED, guests),
                            List.of());
        }
        seconds += PolicyShares.POLICIES.size() * model.seconds(TimeModel.SHARES, List.of());

        double sum = seconds;
        assertTrue(sum < 0.95 * limitSeconds, () -> "seconds=" + sum);
    }

    private static EvaluationPlan plan(boolean quick) {
        return new EvaluationPlan(
                new EvaluationRounds(quick, quick ? 3 : 11, quick ? 1 : 5, 1),
                Arrays.asList(AccessConfiguration.values()),
                WorkloadSizes.tasks(List.of(), quick),
                3,
                quick ? 600 : 5400,
                EvaluationPlan.Amounts.of(quick),
                true);
    }
}

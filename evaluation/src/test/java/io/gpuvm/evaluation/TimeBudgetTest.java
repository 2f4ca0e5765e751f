package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
    private static final List<StepTime> DONE =
            List.of(
                    new StepTime("machine fv-lazy", 30),
                    new StepTime("machine fv-lazy", 50),
                    new StepTime("machine pt-mapped", 10));

    @Test
    void givenCompletedStepsOfKind_whenEstimated_thenMeanOfKind() {
        assertEquals(
                80, TimeBudget.seconds(DONE, List.of("machine fv-lazy", "machine fv-lazy"), 7));
    }

    @Test
    void givenCompletedStepsOfGroupOnly_whenEstimated_thenMeanOfGroup() {
        assertEquals(30, TimeBudget.seconds(DONE, List.of("machine fv-naive"), 7));
    }

    @Test
    void givenNoStepOfGroup_whenEstimated_thenGuess() {
        assertEquals(14, TimeBudget.seconds(DONE, List.of("shares", "guests-pv 4"), 7));
    }
}

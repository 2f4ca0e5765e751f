package io.gpuvm.workloads.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.workloads.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MeasurementPlanTest {
    private static final List<Configuration> ONE = List.of(configuration("native"));
    private static final List<Task> NOP = List.of(Task.usual(Workloads.named("nop")));

    @Test
    void givenInvalidPlans_whenCreated_thenErrorsNameValueAndLimit() {
        assertRefused(
                "configurations=0, expected 1 to 2147483647",
                () -> new MeasurementPlan(List.of(), NOP, 1, 0, 0, 0));
        assertRefused(
                "tasks=0, expected 1 to 2147483647",
                () -> new MeasurementPlan(ONE, List.of(), 1, 0, 0, 0));
        assertRefused(
                "rounds=0, expected 1 to 10000", () -> new MeasurementPlan(ONE, NOP, 0, 0, 0, 0));
        assertRefused(
                "warmups=-1, expected 0 to 10000",
                () -> new MeasurementPlan(ONE, NOP, 1, -1, 0, 0));
        assertRefused("configuration=' ', expected a name", () -> configuration(" "));
    }

    @Test
    void givenTwoConfigurationsOfSameName_whenPlanned_thenErrorNamesConfiguration() {
        assertRefused(
                "configuration=native, expected distinct names",
                () ->
                        new MeasurementPlan(
                                List.of(configuration("native"), configuration("native")),
                                NOP,
                                1,
                                0,
                                0,
                                0));
    }

    @Test
    void givenInvalidSizeForWorkload_whenTaskIsCreated_thenErrorNamesLimit() {
        assertRefused("size=0, expected 1 to 8192", () -> new Task(Workloads.named("mmul"), 0));
    }

    private static void assertRefused(String message, Executable plan) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, plan).getMessage());
    }

    private static Configuration configuration(String name) {
        return new Configuration(
                name,
                () -> {
                    throw new AssertionError(name);
                });
    }
}

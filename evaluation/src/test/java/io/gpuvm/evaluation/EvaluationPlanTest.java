package io.gpuvm.evaluation;

import static io.gpuvm.evaluation.AccessConfiguration.CUDA_MACHINE;
import static io.gpuvm.evaluation.AccessConfiguration.CUDA_PROCESS;
import static io.gpuvm.evaluation.AccessConfiguration.FV_LAZY;
import static io.gpuvm.evaluation.AccessConfiguration.NATIVE;
import static io.gpuvm.evaluation.AccessConfiguration.PT_MAPPED;
import static io.gpuvm.evaluation.AccessConfiguration.PV_MACHINE;
import static io.gpuvm.evaluation.AccessConfiguration.PV_PROCESS;
import static io.gpuvm.evaluation.AccessConfiguration.PV_PROCESS_SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.workloads.Workloads;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationPlanTest {
    private static final EvaluationPlan PLAN =
            Plans.header(600, "native", "pt-mapped", "pv-process", "fv-lazy", "pv-process-single")
                    .plan();

    @Test
    void givenRounds_whenOrderIsRequested_thenFirstConfigurationRotatesWithinKind() {
        assertEquals(List.of(NATIVE, PV_PROCESS, PV_PROCESS_SINGLE), PLAN.order(false, 0));
        assertEquals(List.of(PV_PROCESS, PV_PROCESS_SINGLE, NATIVE), PLAN.order(false, 1));
        assertEquals(List.of(NATIVE, PV_PROCESS, PV_PROCESS_SINGLE), PLAN.order(false, 3));
        assertEquals(List.of(FV_LAZY, PT_MAPPED), PLAN.order(true, 1));
    }

    @Test
    void givenConfigurations_whenDescribed_thenBaselineHasSameGroup() {
        for (AccessConfiguration each : AccessConfiguration.values()) {
            EvaluatedConfiguration described = each.described(List.of());
            assertEquals(
                    described.group(),
                    AccessConfiguration.named(described.baseline()).described(List.of()).group());
        }
        assertEquals("native", PV_PROCESS.described(List.of()).baseline());
        assertEquals("pt-mapped", FV_LAZY.described(List.of()).baseline());
    }

    @Test
    void givenProgramInC_whenDescribed_thenWorkloadsThatItLacksAreAbsent() {
        List<String> workloads = List.of("loop", "mmul", "mix", "delay");

        assertEquals(List.of("loop", "mix"), CUDA_PROCESS.described(workloads).absent());
        assertEquals(List.of("loop", "mix"), CUDA_MACHINE.described(workloads).absent());
        assertEquals(List.of(), PV_MACHINE.described(workloads).absent());
        assertEquals("native", CUDA_PROCESS.described(workloads).baseline());
        assertEquals("pt-mapped", CUDA_MACHINE.described(workloads).baseline());
    }

    @Test
    void givenConfigurationWithBackend_whenKeysAreRequested_thenKeysAreInOrderOfDefinition() {
        assertEquals(
                List.of(
                        Map.entry("mode", "fv"),
                        Map.entry("map", "none"),
                        Map.entry("shadow", "lazy")),
                List.copyOf(FV_LAZY.backendKeys().entrySet()));
        assertEquals(Map.of(), NATIVE.backendKeys());
    }

    @Test
    void givenUnknownName_whenConfigurationIsRequested_thenMessageListsAllNames() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class, () -> AccessConfiguration.named("xen"));

        Arrays.stream(AccessConfiguration.values())
                .forEach(each -> assertTrue(e.getMessage().contains(each.key()), e::getMessage));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenAllWorkloads_whenSizesAreChosen_thenEveryWorkloadHasPermittedSize(boolean quick) {
        assertEquals(
                Workloads.all().stream().map(each -> each.name()).toList(),
                WorkloadSizes.tasks(List.of(), quick).stream()
                        .map(task -> task.workload().name())
                        .toList());
    }
}

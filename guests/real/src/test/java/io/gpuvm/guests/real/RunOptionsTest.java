package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunOptionsTest {
    @Test
    void givenOneName_whenParsed_thenOneProgramRuns() {
        assertEquals(List.of("copy"), RunOptions.of("6.12", "copy").programs());
    }

    @Test
    void givenNamesWithCommas_whenParsed_thenProgramsKeepOrder() {
        assertEquals(List.of("fault", "copy"), RunOptions.of("6.12", "fault,copy").programs());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", ",,"})
    void givenNoName_whenOptionsAreCreated_thenOptionsAreRefused(String program) {
        assertThrows(IllegalArgumentException.class, () -> RunOptions.of("6.12", program));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "probe,workload",
                "suite,probe",
                "workload,suite",
                "workload-pair,copy",
                "cuda,copy"
            })
    void givenProgramWithOwnArguments_whenSecondProgramIsListed_thenOptionsAreRefused(
            String programs) {
        assertThrows(IllegalArgumentException.class, () -> RunOptions.of("6.12", programs));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "suite"})
    void givenProgramThatNeedsDriver_whenMachineIsParavirtual_thenOptionsAreRefused(
            String program) {
        RunOptions options = RunOptions.of("6.12", program);
        VmSpec machine = new VmSpec("pv", "6.12", Map.of("mode", "pv", "via", "vfio-user"));
        assertThrows(IllegalArgumentException.class, () -> options.withVms(machine));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "workload"})
    void givenMachineForCuda_whenOtherProgramRuns_thenOptionsAreRefused(String program) {
        RunOptions options = RunOptions.of("6.12", program);
        VmSpec machine = new VmSpec("cuda", "6.12", Map.of("mode", "cuda", "via", "vfio-user"));
        assertThrows(IllegalArgumentException.class, () -> options.withVms(machine));
    }

    @Test
    void givenCudaPrograms_whenOptionsAreCreated_thenMachineHasFunctionAndNoDriver() {
        VmSpec machine = RunOptions.of("6.12", "cuda").vms().getFirst();
        assertEquals("cuda", machine.mode());
        assertTrue(machine.isParavirtual());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fv", "pv", "passthrough"})
    void givenCudaPrograms_whenMachineHasOtherMode_thenErrorNamesMode(String mode) {
        RunOptions options = RunOptions.of("6.12", "cuda");
        VmSpec machine = VmSpec.of("vm1", "6.12", mode);
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> options.withVms(machine));
        assertTrue(e.getMessage().contains("mode=" + mode), e::getMessage);
    }

    @Test
    void givenReloadParameter_whenOptionsAreCreated_thenFirstLoadLacksParameter() {
        RunOptions options = RunOptions.of("6.12", "copy").withReloads(1, "config=NvMSI=0");
        assertEquals(List.of(), options.moduleParameters());
        assertEquals(List.of("config=NvMSI=0"), options.reloadParameters());
    }

    @Test
    void givenReloadParameterOfTwoWords_whenOptionsAreCreated_thenOptionsAreRefused() {
        RunOptions options = RunOptions.of("6.12", "copy");
        assertThrows(IllegalArgumentException.class, () -> options.withReloads(1, "a b"));
    }
}

package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two unmodified guests at once, each with a virtual GPU: what gpuvm is for.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealGuestsShareTest {
    /// Both fault at once, for they are powered on at once, and copy then.
    @Test
    void givenTwoGuestsOnOneGpu_whenBothFaultAndCopyAtOnce_thenEachLosesItsOwnChannelsOnly()
            throws InterruptedException {
        PassingRun.of(
                RunOptions.of("6.12", "fault,copy")
                        .withGpu("soft,vram=1G")
                        .withVms(VmSpec.of("vm0", "6.12", "fv"), VmSpec.of("vm1", "6.12", "fv")));
    }

    @Test
    void givenTheOldestAndTheNewestKernel_whenKernelsGoWrongAndBothCopy_thenEachHearsOfItsOwn()
            throws InterruptedException {
        PassingRun.of(
                RunOptions.of("6.1", "gpu-trap,copy")
                        .withGpu("soft,vram=1G,watchdog=2")
                        .withVms(VmSpec.of("vm0", "6.1", "fv"), VmSpec.of("vm1", "7.2", "fv")));
    }

    /// What Mesa's compiler makes of shaders is machine code that nobody here has written. What is
    /// cleared does not depend on who executes kernels.
    @ParameterizedTest
    @CsvSource({"interpreter, 'gles-compute,gles-clear'", "compiled, gles-compute"})
    void givenMesaInTwoGuestsWithDifferentKernels_whenBothComputeAtOnce_thenAllResultsAreRight(
            String engine, String programs) throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of("6.12", programs)
                                .withArguments("seconds=5")
                                .withGpu("soft,vram=1G,engine=" + engine)
                                .withVms(
                                        VmSpec.of("vm0", "6.12", "fv"),
                                        VmSpec.of("vm1", "7.2", "fv")));
        JsonNode counters = report.server().at("/gpu/counters");
        assertNotEquals(0, counters.path("COMPUTE_LAUNCHES").asLong());
        assertEquals(
                engine.equals("compiled"),
                counters.path("COMPILED_INSTRUCTIONS").asLong() > 0,
                counters::toString);
        assertEquals(0, counters.path("CLEARS_LEFT_OUT").asLong());
    }
}
